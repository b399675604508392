import type { ReactElement } from "react";
import { findOption, standardOf } from "../../scenario/options.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { Table } from "../controls/table.tsx";

/** What is in force in the run that is open: what the job sets wins over Flink's default. */
export function Effective({ scenario }: { readonly scenario: Scenario }): ReactElement {
  const words = useConfigurationText();
  const { flink, config } = scenario;
  return (
    <Table caption={words.effectiveCaption} columns={words.columns} className="configuration-effective">
      {config.effective.map(({ key, value, origin }) => {
        const option = findOption(key);
        const standard = option === undefined ? null : standardOf(option, flink);
        return (
          <tr key={key} data-origin={origin}>
            <th scope="row" className="mono">
              {key}
            </th>
            <td>
              <strong>{value}</strong>
            </td>
            <td>{words.origins[origin]}</td>
            <td className={origin === "scenario" ? "muted overruled" : "muted"}>{standard ?? ""}</td>
          </tr>
        );
      })}
    </Table>
  );
}
