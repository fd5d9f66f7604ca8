interface Sampling<Name extends string, Value> {
  readonly samples: number
  /** Measured first and not counted: until caches and compiled code are warm. */
  readonly warmUps?: number
  /** `number` starts at 1. */
  readonly onSample?: (number: number, values: Readonly<Record<Name, Value>>) => void
}

/** Takes samples of all measures in alternating order, so that other load on the machine affects all of them alike. */
export async function alternate<Name extends string, Value>(
  measures: Readonly<Record<Name, (index: number) => Promise<Value>>>,
  { samples, warmUps = 0, onSample }: Sampling<Name, Value>,
): Promise<Readonly<Record<Name, readonly Value[]>>> {
  const names = Object.keys(measures).filter((name): name is Name => name in measures)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list for every name
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Value[]>
  for (let index = 0; index < warmUps + samples; index += 1) {
    const values: Partial<Record<Name, Value>> = {}
    for (const name of index % 2 === 0 ? names : names.toReversed()) values[name] = await measures[name](index)
    if (index < warmUps) continue
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name was measured in the loop above
    const complete = values as Record<Name, Value>
    for (const name of names) taken[name].push(complete[name])
    onSample?.(index - warmUps + 1, complete)
  }
  return taken
}
