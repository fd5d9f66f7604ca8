import type { World } from '@sealpost/testkit'

type Reader = World['eu']['modules']['runs']['service']['reader']
type Filled = Extract<Awaited<ReturnType<Reader['fillTemplate']>>, { readonly ok: true }>

/** The PDF engine of one region, which can be replaced by a fill that records its inputs and answers the file as it is. */
export interface Filling {
  /** Of the calls since `begin`; none of the real engine. */
  readonly recorded: readonly ReadonlyMap<string, string>[]
  begin(isReal: boolean): void
}

export function openFilling({ modules }: World['eu']): Filling {
  const { reader } = modules.runs.service
  const real = reader.fillTemplate.bind(reader)
  const recorded: ReadonlyMap<string, string>[] = []
  let isReal = true
  // Of the first file: no caller reads it.
  let report: Filled['value']['report'] | null = null
  const fillTemplate: Reader['fillTemplate'] = async (owner, file, texts) => {
    if (isReal) return real(owner, file, texts)
    if (report === null) {
      const filled = await real(owner, file, new Map())
      if (!filled.ok) return filled
      ;({ report } = filled.value)
    }
    recorded.push(texts)
    return { ok: true, value: { bytes: Uint8Array.from(file), report } }
  }
  Object.assign(reader, { fillTemplate })
  return {
    recorded,
    begin(isNextReal) {
      recorded.length = 0
      isReal = isNextReal
    },
  }
}
