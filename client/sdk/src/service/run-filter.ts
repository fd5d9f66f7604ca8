export interface RunFilter {
  /** Only runs with one of these: `awaiting_<party>`, `generating`, `awaiting_signature`, `completed`, `cancelled`. */
  readonly status?: string | readonly string[]
  /** `owner`: only runs that wait for the own company. */
  readonly awaiting?: 'owner'
}

export function runQuery({ status, awaiting }: RunFilter): { status?: string; awaiting?: 'owner' } {
  return {
    ...(status === undefined ? {} : { status: typeof status === 'string' ? status : status.join(',') }),
    ...(awaiting === undefined ? {} : { awaiting }),
  }
}
