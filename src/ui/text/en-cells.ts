/** Records in the strips of partitions, as they are told when the keys stand at them. Fetched with the first of them. */
export const enCells = {
  read: (record: string) => `Record ${record}. Enter opens its passport.`,
  written: (record: string, value: number, partition: string, offset: number) =>
    `Record ${record}, written with value ${value} at offset ${offset} of ${partition}. Enter opens its passport.`,
} as const;
