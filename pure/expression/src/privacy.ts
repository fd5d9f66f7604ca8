import { keysReadByExpression } from './keys-read.ts'

/** The sources of values as one party, filling one step, knows them. */
export interface PrivacyView {
  /** The expression of every constant, by key. */
  readonly constants: ReadonlyMap<string, unknown>
  /** The elements of the step being filled: slug to default expression, null without one. */
  readonly drafts: ReadonlyMap<string, unknown>
  /** Those whose value the party took from a private source, and answers that it knows to be private. */
  readonly privateDrafts: ReadonlySet<string>
  /** The run's `private_slugs`; null when the run was read without that list. */
  readonly privateSlugs: ReadonlySet<string> | null
  /** Slugs of the elements that belong to this party. */
  readonly ownSlugs: ReadonlySet<string>
}

/**
 * Privacy propagates through computations: a constant is private when anything it reads is, a draft when it was taken from
 * a private source or its default reads a private value. A plain answer is private when its slug is listed; without a
 * list, when another party gave it.
 */
export function isPrivateKey(key: string, view: PrivacyView): boolean {
  const reached = new Set([key])
  // A set also iterates over items added during the iteration: cycles end, and nothing is visited twice.
  for (const current of reached) {
    const source = sourceOf(current, view)
    if (source.kind === 'private' || (source.kind === 'answer' && isPrivateSlug(source.slug, view))) return true
    if (source.kind === 'computed') for (const read of keysReadByExpression(source.expression)) reached.add(read)
  }
  return false
}

/** The value of `source_private` of an answer item. A plugin's answer is never private. */
export function isSourcePrivate(
  answer: { readonly isPlugin: boolean; readonly isFromPrivateField: boolean; readonly defaultExpression: unknown },
  view: PrivacyView,
): boolean {
  if (answer.isPlugin) return false
  return (
    answer.isFromPrivateField || keysReadByExpression(answer.defaultExpression).some((key) => isPrivateKey(key, view))
  )
}

type Source = { kind: 'private' } | { kind: 'computed'; expression: unknown } | { kind: 'answer'; slug: string }

function sourceOf(key: string, { constants, drafts, privateDrafts }: PrivacyView): Source {
  if (constants.has(key)) return { kind: 'computed', expression: constants.get(key) }
  const [slug = key] = key.split('.', 1)
  if (privateDrafts.has(slug)) return { kind: 'private' }
  if (drafts.has(slug)) return { kind: 'computed', expression: drafts.get(slug) }
  return { kind: 'answer', slug }
}

function isPrivateSlug(slug: string, { privateSlugs, ownSlugs }: PrivacyView): boolean {
  return privateSlugs === null ? !ownSlugs.has(slug) : privateSlugs.has(slug)
}
