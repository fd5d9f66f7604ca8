import { formatValue } from '@sealpost/expression'
import { SealingError } from '../keys/sealing-error.ts'
import type { FlowRun } from './run.ts'

/** Party values that texts name: `party.field` to value. */
export type TagTexts = ReadonlyMap<string, string>

/** The values of parties in the texts of a run, as far as this party may read them. One that cannot be opened is left out. */
export async function openTags(run: FlowRun, open: (wrapper: string) => Promise<string>): Promise<TagTexts> {
  const texts = new Map<string, string>()
  const keep = (tag: string, entry: unknown): void => {
    if (typeof entry === 'object' && entry !== null && 'v' in entry) texts.set(tag, formatValue(entry.v))
  }
  for (const [tag, entry] of Object.entries(run.owner_tag_values ?? {})) keep(tag, entry)
  const { public: sealed, public_tags: names = [], private: own = {} } = run.tag_values ?? {}
  const shown = sealed === undefined ? {} : await openObject(sealed, open)
  for (const tag of names) keep(tag, shown[tag])
  for (const [tag, wrapper] of Object.entries(own)) keep(tag, await openObject(wrapper, open))
  return texts
}

async function openObject(
  wrapper: string,
  open: (wrapper: string) => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const parsed: unknown = JSON.parse(await open(wrapper))
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch (error) {
    if (error instanceof SealingError || error instanceof SyntaxError) return {}
    throw error
  }
}
