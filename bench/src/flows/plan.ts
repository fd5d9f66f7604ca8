/** A customer of the benchmark's runs, in us. */
export interface PlannedCustomer {
  readonly userId: string
  readonly connectionId: string
  readonly publicKey: string
}

/** A person and a company that take part in a run. */
export interface PlannedPair {
  readonly customer: PlannedCustomer
  readonly partner: PlannedCustomer
}

/** What the bare side needs to do the same work; JSON in its environment. */
export interface BarePlan {
  readonly databases: Readonly<Record<'eu' | 'us', string>>
  readonly pool: number
  readonly nats: { readonly url: string; readonly key: string }
  readonly companyId: string
  readonly serviceId: string
  readonly flowId: string
  readonly pairs: readonly PlannedPair[]
  /** One sealed answer. */
  readonly value: string
}

export const CALLERS = 32

/** Does the work so many times, with 32 callers. `number` starts at 0. */
export async function inParallel(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await work(next - 1)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}
