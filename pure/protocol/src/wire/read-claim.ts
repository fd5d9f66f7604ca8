import { accept, decline, type Result } from '@sealpost/kernel'
import type { SigninClaim } from '../asks/grants.ts'
import type { ChosenPluginRow } from './plugin.ts'

/** The most claims that one consent asks for. */
export const MAX_CLAIMS = 15

export const claimMembers = [
  'name',
  'type',
  'label',
  'suggest',
  'required',
  'verified',
  'verified_max_age_days',
  'plugin',
] as const

export interface ClaimRefusal {
  /** It names a plugin. */
  readonly isPlugin: boolean
  readonly reason: string
}

const MAX_TEXT = 200
const MAX_DAYS = 36_500
/** The type of claims that a plugin answers. */
const PLUGIN = 'plugin'

/** Chooses the plugin of a claim; a refusal completes a sentence about it. */
export type ChoosePlugin = (given: unknown) => Result<ChosenPluginRow, string>

/** Whether a claim may name a plugin of the company. */
export function namesPlugin({ type, plugin = null }: Readonly<Record<string, unknown>>): boolean {
  return type === PLUGIN || plugin !== null
}

/**
 * A claim of an app or of a request. `claimable`: the types whose values travel inline. Without `choosePlugin`, as in
 * requests, no plugin can be named.
 */
export function readClaim(
  given: Readonly<Record<string, unknown>>,
  at: string,
  claimable: readonly string[],
  choosePlugin: ChoosePlugin = () => decline('names a plugin, which only the settings of an app can'),
): Result<SigninClaim, ClaimRefusal> {
  const { name, type } = given
  if (!isText(name) || name.trim() === '') return invalid(`${at} has no name`)
  if (namesPlugin(given)) return readPluginClaim(given, at, name.trim(), choosePlugin)
  if (typeof type !== 'string' || !claimable.includes(type)) return invalid(`the type of ${at} cannot be claimed`)
  return readSettings(given, at, { name: name.trim(), type })
}

function readPluginClaim(
  given: Readonly<Record<string, unknown>>,
  at: string,
  name: string,
  choosePlugin: ChoosePlugin,
): Result<SigninClaim, ClaimRefusal> {
  const refused = (reason: string) => decline({ isPlugin: true, reason: `${at} ${reason}` })
  if (given['type'] !== PLUGIN) return refused('names a plugin, so its type must be plugin')
  const chosen = choosePlugin(given['plugin'])
  if (!chosen.ok) return refused(chosen.refusal)
  const claim = readSettings(given, at, { name, type: PLUGIN })
  return claim.ok ? accept({ ...claim.value, plugin: chosen.value }) : claim
}

function readSettings(
  given: Readonly<Record<string, unknown>>,
  at: string,
  { name, type }: Pick<SigninClaim, 'name' | 'type'>,
): Result<SigninClaim, ClaimRefusal> {
  const { label = null, suggest = null, required = false, verified = false } = given
  const days = given['verified_max_age_days'] ?? null
  if (label !== null && !isText(label)) return invalid(`the label of ${at} is not a short text`)
  if (suggest !== null && !isText(suggest)) return invalid(`suggest of ${at} is not a short text`)
  if (typeof required !== 'boolean') return invalid(`required of ${at} is not true or false`)
  if (typeof verified !== 'boolean') return invalid(`verified of ${at} is not true or false`)
  if (verified && type !== 'email') return invalid(`${at} cannot be asked for verified: only an email can`)
  if (!isDays(days)) return invalid(`verified_max_age_days of ${at} is not a whole number from 1 to ${MAX_DAYS}`)
  if (days !== null && !verified) return invalid(`${at} limits the age of a verification that it does not ask for`)
  return accept({ name, type, label, suggest, required, verified, verified_max_age_days: days })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function isDays(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_DAYS)
}

function invalid(reason: string): Result<never, ClaimRefusal> {
  return decline({ isPlugin: false, reason })
}
