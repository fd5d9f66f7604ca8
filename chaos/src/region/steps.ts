/** The n-th tell of a connection. */
export interface Step {
  readonly connection: number
  readonly n: number
  /** Which run of the sending region sent it: a restored region starts another one. */
  readonly run: string
}

/** By connection. */
export type Steps = ReadonlyMap<number, readonly Step[]>

export function nameOf({ n, run }: Step): string {
  return `${run} ${n}`
}
