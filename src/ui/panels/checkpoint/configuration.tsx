import type { ReactElement } from "react";
import { checkpointConfig } from "../../../projection/rest-config.ts";
import { optionInForce } from "../../../scenario/options.ts";
import type { Scenario } from "../../../scenario/scenario.ts";
import { duration } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { Field, Fields } from "../../controls/fields.tsx";

/** The configuration as Flink's tab has it (CP-219). */
export function Configuration({ scenario }: { readonly scenario: Scenario }): ReactElement {
  const words = useCheckpointsText().config;
  const config = checkpointConfig(scenario);
  const enabled = (on: boolean): string => (on ? words.enabled : words.disabled);
  const { interval, externalization } = config;
  return (
    <div className="checkpoint-config">
      <Fields>
        <Field name={words.mode}>
          {words.modes[config.mode === "at_least_once" ? "at_least_once" : "exactly_once"]}
        </Field>
        <Field name={words.storage}>{config.checkpoint_storage}</Field>
        <Field name={words.backend}>{config.state_backend}</Field>
        <Field name={words.interval}>{typeof interval === "number" ? duration(interval) : words.noInterval}</Field>
        <Field name={words.timeout}>{duration(config.timeout)}</Field>
        <Field name={words.minPause}>{duration(config.min_pause)}</Field>
        <Field name={words.maxConcurrent}>{config.max_concurrent}</Field>
        <Field name={words.unaligned}>{enabled(config.unaligned_checkpoints)}</Field>
        <Field name={words.alignedTimeout}>{duration(config.aligned_checkpoint_timeout)}</Field>
      </Fields>
      <Fields>
        <Field name={words.externalization}>{enabled(externalization.enabled)}</Field>
        {externalization.enabled ? (
          <Field name={words.deleteOnCancellation}>{enabled(externalization.delete_on_cancellation)}</Field>
        ) : null}
        <Field name={words.tolerable}>{config.tolerable_failed_checkpoints}</Field>
        <Field name={words.afterFinish}>{enabled(config.checkpoints_after_tasks_finish)}</Field>
        <Field name={words.changelog}>{enabled(config.state_changelog_enabled)}</Field>
        {config.state_changelog_enabled ? (
          <Field name={words.materialization}>{duration(config.changelog_periodic_materialization_interval)}</Field>
        ) : null}
        <Field name={words.history}>{optionInForce(scenario, "web.checkpoints.history")}</Field>
      </Fields>
    </div>
  );
}
