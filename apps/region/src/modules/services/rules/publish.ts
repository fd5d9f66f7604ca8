import { choosePlugin, type ChosenPlugin, type PluginFact } from '@sealpost/flow'
import { accept, decline, type RequestFieldId, type Result } from '@sealpost/kernel'
import type { ErrorKey } from '@sealpost/protocol'
import type { Audience, RequestRow } from '../model.ts'

/** A row as it was sent. Its members have their types, except those with error keys of their own. */
export interface GivenRow {
  readonly id?: string | null
  readonly slug?: unknown
  readonly label: string
  readonly type?: unknown
  readonly one_time?: boolean
  readonly mandatory?: boolean
  readonly mandatory_provide?: boolean
  readonly mandatory_connected?: boolean
  readonly audience?: Audience
  readonly verified?: boolean
  readonly verified_max_age_days?: number | null
  readonly plugin?: unknown
  readonly flow_id?: unknown
}

export interface PublishRefusal {
  readonly key: Extract<ErrorKey, `services.request_field_${string}`>
  readonly reason: string
}

export interface Publishing {
  /** In the new order. */
  readonly rows: readonly RequestRow[]
  readonly removed: readonly RequestRow[]
}

export interface PublishContext {
  readonly published: readonly RequestRow[]
  readonly requestable: readonly string[]
  readonly newId: () => RequestFieldId
  /** The plugins of the company, by id. */
  readonly plugins: ReadonlyMap<string, PluginFact>
}

const MAX_ROWS = 100
const SLUG = /^[a-z][a-z0-9_]{0,63}$/
const LONGEST_SLUG = 64
/** The type of rows that a plugin answers. */
const PLUGIN = 'plugin'

/** Whether a row may name a plugin of the company. */
export function namesPlugin({ type, plugin = null }: GivenRow): boolean {
  return type === PLUGIN || plugin !== null
}

/**
 * Matches the given rows with the published ones: by id, else by slug. So a slug may change, and a caller that keeps no
 * ids may publish the same list again.
 */
export function validatePublication(
  given: readonly GivenRow[],
  context: PublishContext,
): Result<Publishing, PublishRefusal> {
  const own = given.filter(({ flow_id: flow = null }) => flow === null)
  if (own.length > MAX_ROWS)
    return refused(
      'services.request_field_invalid',
      `a service has at most ${MAX_ROWS} request fields, not ${own.length}: remove some, or ask for them in another service`,
    )
  const matched = matchRows(own, context.published)
  if (!matched.ok) return matched
  const rows: RequestRow[] = []
  for (const [place, row] of own.entries()) {
    const { slug, before } = matched.value[place] ?? { slug: '', before: null }
    const validated = validateRow(row, slug, before, `request_fields[${place}]`, context)
    if (!validated.ok) return validated
    rows.push(validated.value)
  }
  const kept = new Set(rows.map(({ id }) => id))
  return accept({ rows, removed: context.published.filter(({ id }) => !kept.has(id)) })
}

interface Match {
  readonly slug: string
  readonly before: RequestRow | null
}

function matchRows(
  own: readonly GivenRow[],
  published: readonly RequestRow[],
): Result<readonly Match[], PublishRefusal> {
  const byId = new Map(published.map((row) => [String(row.id), row]))
  const named = own.map(({ id }) => (typeof id === 'string' ? (byId.get(id) ?? null) : null))
  const claimed = new Set(named.filter((row) => row !== null))
  if (claimed.size < named.filter((row) => row !== null).length) {
    return refused('services.request_field_invalid', 'two request fields have the same id')
  }
  const slugs = slugsOf(own, named)
  if (!slugs.ok) return slugs
  const free = new Map(published.filter((row) => !claimed.has(row)).map((row) => [row.slug, row]))
  return accept(slugs.value.map((slug, place) => ({ slug, before: named[place] ?? free.get(slug) ?? null })))
}

/** Fills in blank slugs: as published where the row is known, else made from the label. */
function slugsOf(
  own: readonly GivenRow[],
  named: readonly (RequestRow | null)[],
): Result<readonly string[], PublishRefusal> {
  const slugs = own.map(({ slug }, place) => (isBlank(slug) ? (named[place]?.slug ?? null) : slug))
  const known = new Set<string>()
  for (const [place, slug] of slugs.entries()) {
    if (slug === null) continue
    if (typeof slug !== 'string' || !SLUG.test(slug)) {
      return refused(
        'services.request_field_slug_invalid',
        `the slug of request_fields[${place}] is not like first_name`,
      )
    }
    if (known.has(slug))
      return refused('services.request_field_slug_duplicate', `two request fields have the slug ${slug}`)
    known.add(slug)
  }
  return accept(
    slugs.map((slug, place) => {
      if (typeof slug === 'string') return slug
      const derived = slugFrom(own[place]?.label ?? '', known)
      known.add(derived)
      return derived
    }),
  )
}

function isBlank(slug: unknown): boolean {
  return slug === undefined || slug === null || (typeof slug === 'string' && slug.trim() === '')
}

function slugFrom(label: string, known: ReadonlySet<string>): string {
  const words = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const base = /^[a-z]/.test(words) ? words : `field${words === '' ? '' : '_'}${words}`
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `_${number}`
    const slug = base.slice(0, LONGEST_SLUG - suffix.length) + suffix
    if (!known.has(slug)) return slug
  }
}

function validateRow(
  given: GivenRow,
  slug: string,
  before: RequestRow | null,
  at: string,
  { requestable, newId, plugins }: PublishContext,
): Result<RequestRow, PublishRefusal> {
  const { label, type, one_time: oneTime = before?.oneTime ?? false } = given
  const plugin = namesPlugin(given) ? validatePlugin({ ...given, one_time: oneTime }, at, plugins) : accept(null)
  if (!plugin.ok) return plugin
  if (typeof type !== 'string') return refused('services.request_field_type_invalid', `${at} has no type`)
  if (before !== null && type !== before.type) {
    return refused('services.request_field_type_locked', `the type of ${slug} is ${before.type} and never changes`)
  }
  // A published row keeps its type, also one that can no longer be requested.
  if (before === null && type !== PLUGIN && !requestable.includes(type))
    return refused('services.request_field_type_invalid', `the type of ${slug} cannot be requested`)
  const mandatory = mandatoryOf(given)
  if (oneTime && mandatory.mandatoryConnected) {
    return refused('services.request_field_invalid', `${slug} is shared once and cannot also have to stay connected`)
  }
  // Customers have decided on a value that stays live, or on a snapshot.
  if (before !== null && oneTime !== before.oneTime) {
    const how = before.oneTime ? 'is shared once' : 'stays live'
    return refused('services.request_field_type_locked', `${slug} ${how} and never changes in this; make a new row`)
  }
  return accept({
    id: before?.id ?? newId(),
    slug,
    label: label.trim(),
    type,
    oneTime,
    ...mandatory,
    audience: plugin.value === null ? (given.audience ?? before?.audience ?? 'both') : 'person',
    verified: given.verified ?? false,
    verifiedMaxAgeDays: given.verified_max_age_days ?? null,
    plugin: plugin.value,
  })
}

function validatePlugin(
  given: GivenRow,
  at: string,
  plugins: PublishContext['plugins'],
): Result<ChosenPlugin, PublishRefusal> {
  const invalid = (reason: string) => refused('services.request_field_plugin_invalid', `${at} ${reason}`)
  if (given.type !== PLUGIN) return invalid('names a plugin, so its type must be plugin')
  if (given.one_time !== true) return invalid('is answered by a plugin and must be shared once')
  if ((given.audience ?? 'person') !== 'person') return invalid('is answered by a plugin and asks persons only')
  if (given.verified === true) return invalid('is answered by a plugin, whose answers are never verified')
  const chosen = choosePlugin(given.plugin, plugins)
  return chosen.ok ? chosen : invalid(chosen.refusal)
}

/** `mandatory` counts only without `mandatory_provide` and `mandatory_connected`. */
function mandatoryOf(given: GivenRow): Pick<RequestRow, 'mandatoryProvide' | 'mandatoryConnected'> {
  const { mandatory = false, mandatory_provide: provide, mandatory_connected: connected } = given
  if (provide === undefined && connected === undefined)
    return { mandatoryProvide: mandatory, mandatoryConnected: false }
  return { mandatoryProvide: provide ?? false, mandatoryConnected: connected ?? false }
}

function refused(key: PublishRefusal['key'], reason: string): Result<never, PublishRefusal> {
  return decline({ key, reason: `Nothing was published: ${reason}` })
}
