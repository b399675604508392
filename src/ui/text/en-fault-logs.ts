/**
 * What an operator would find in a log for an entry of a fault menu: Flink's and Kafka's own words, with what varies left as
 * "…" (`ExecutionGraph`, `JobMaster`, `CheckpointCoordinator`, `StreamOperatorStateHandler`, `BackendRestorerProcedure`,
 * `CreditBasedPartitionRequestClientHandler`, `KafkaCommitter`; Kafka's `NetworkClient`, `ProducerBatch`, `Fetcher`). Entries
 * that leave no line of their own have none.
 */
import { checkpointFailureMessages as checkpointFailures } from "../../protocol/checkpoint-failure-messages.ts";

const switched = "… switched from RUNNING to FAILED on …";
const lost =
  "Connection unexpectedly closed by remote task manager '…'. This might indicate that the remote task manager was lost.";
const timedOut = "Heartbeat of TaskManager with id … timed out.";
const expired = "Checkpoint … of job … expired before completing.";
const noBroker = "Connection to node … could not be established. Broker may not be available.";
const invalidState =
  "Unable to commit transaction (…) because it's in an invalid state. Most likely the transaction has been aborted for some reason.";

export const enFaultLogs: { readonly [key: string]: string } = {
  "fail-task": switched,
  "poison-record": switched,
  "kill-taskmanager": lost,
  "stall-taskmanager": timedOut,
  "partition-jobmanager": timedOut,
  "partition-kafka": noBroker,
  "snapshot-failure-async": checkpointFailures.CHECKPOINT_ASYNC_EXCEPTION,
  "snapshot-failure-sync": "Could not complete snapshot … for operator ….",
  "lose-ack": expired,
  "lose-trigger": expired,
  "storage-down": checkpointFailures.CHECKPOINT_ASYNC_EXCEPTION,
  "storage-corrupt": "Could not restore … from any of the 1 provided restore options.",
  "ha-down": "Could not complete the pending checkpoint ….",
  "kill-jobmanager": "ResourceManager … was granted leadership with fencing token …",
  "broker-down": noBroker,
  "broker-away": "Expiring … record(s) for …:120000 ms has passed since batch creation",
  "expire-transaction": invalidState,
  "commit-error-known": "Unable to commit transaction (…) because its producer is already fenced.",
  "commit-error-fatal": "Transaction (…) encountered error and data has been potentially lost.",
  "commit-error-reply-lost": "Encountered retriable exception while committing ….",
  "expire-records": "Fetch position … is out of range for partition …, resetting offset",
};
