/** Where state lives and where snapshots go, as Flink's options say (CP-110 to CP-115). */
import type { OptionValues } from "./option-table.ts";
import { parseSize } from "./option-values.ts";
import type { StateStorage } from "./scenario.ts";

const ck = (name: string): string => `execution.checkpointing.${name}`;
/** `FileSystemCheckpointStorage.MAX_FILE_STATE_THRESHOLD`, and the default that Flink takes in the place of more. */
const MOST_INLINE = 1024 * 1024;
const INLINE = 20 * 1024;

export function stateStorageOf(values: OptionValues): StateStorage {
  const dir = values.value(ck("dir"));
  const chosen = values.value(ck("storage"));
  const backend = values.value("state.backend.type") === "rocksdb" ? "rocksdb" : "hashmap";
  const storage = chosen === "filesystem" || (chosen === null && dir !== null) ? "filesystem" : "jobmanager";
  if (storage === "filesystem" && dir === null)
    values.refuse(
      ck("storage"),
      "Flink: Cannot create the file system state backend: The configuration does not specify the checkpoint directory 'execution.checkpointing.dir'.",
    );
  if (backend === "hashmap" && values.given(ck("incremental")) === true)
    values.notice("KEY_WITHOUT_EFFECT", ck("incremental"), "hashmap always writes full snapshots (CP-113).");
  return {
    backend,
    incremental: backend === "rocksdb" && values.value(ck("incremental")) === true,
    changelog: values.value("state.changelog.enabled") === true,
    materializeEvery: values.number("state.changelog.periodic-materialize.interval"),
    storage,
    dir: dir === null ? null : String(dir),
    savepointDir: values.value(ck("savepoint-dir")) === null ? null : String(values.value(ck("savepoint-dir"))),
    createSubdir: values.value(ck("create-subdir")) !== false,
    inlineThreshold: inlineOf(values),
    highAvailability: !["none", "null"].includes(String(values.value("high-availability.type")).toLowerCase()),
  };
}

function inlineOf(values: OptionValues): number {
  const bytes = parseSize(String(values.value(ck("data-inline-threshold")))) ?? INLINE;
  if (bytes <= MOST_INLINE) return bytes;
  values.notice(
    "VALUE_REPLACED",
    ck("data-inline-threshold"),
    "Flink takes its default of 20 kb where more than 1 mb is asked for (CP-112).",
  );
  return INLINE;
}
