import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCatalog, errorEntry, isErrorKey, issueCatalog } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'

/** The specification is not part of this repository; if it lies beside it, the catalog is compared with it. */
const specification = join(import.meta.dirname, '../../../../shared')
const KEY = /\b[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\b/g
/** Names of files and members that have the form of a key. */
const OTHER_NAMES: readonly string[] = ['account.json', 'flow.json', 'party.field', 'profile.language']

/** Keys of routes whose errors the specification leaves open; docs/decisions/0007-own-error-keys.md has the reasons. */
const OWN_KEYS: readonly string[] = [
  'account.push_not_configured',
  'account.recovery_copy_not_found',
  'company_connections.request_not_found',
  'company_connections.source_changed',
  'delegates.not_found',
  'delegates.user_not_found',
  'delegates.exists',
  'flows.asset_invalid',
  'flows.asset_limit',
  'flows.asset_not_found',
  'flows.draft_conflict',
  'flows.import_invalid',
  'flows.link_not_found',
  'profile.keys_exist',
  'services.webhook_secret_limit',
  'twofa.challenge_closed',
  'twofa.enrollment_not_found',
]

/** Keys of routes and checks that are specified and not built yet; one that is built leaves this list. */
const COMING_KEYS: readonly string[] = ['flows.layout_conflict', 'flows.preview_invalid']

describe.runIf(existsSync(specification))('beside its specification', () => {
  // Vitest runs the body of a skipped suite too, to collect its tests.
  const files = existsSync(specification) ? [...specificationFiles()] : []
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')

  test('the catalog has every key that the specification names, except COMING_KEYS', () => {
    const known = new Set([...Object.keys(errorCatalog), ...Object.keys(issueCatalog)])
    const areas = new Set([...known].map(areaOf))
    const named = (text.match(KEY) ?? []).filter((name) => areas.has(areaOf(name)) && !OTHER_NAMES.includes(name))
    expect(named.length).toBeGreaterThan(300)
    expect([...new Set(named.filter((name) => !known.has(name)))].toSorted()).toEqual(COMING_KEYS)
  })

  test('the catalog has no further keys except OWN_KEYS', () => {
    const codes = ['oauth.invalid_grant', 'oauth.unauthorized_client', 'oauth.unsupported_grant_type']
    const named = new Set([...(text.match(KEY) ?? []), ...codes])
    const invented = [...Object.keys(errorCatalog), ...Object.keys(issueCatalog)].filter((key) => !named.has(key))
    expect(invented.toSorted()).toEqual(OWN_KEYS.toSorted())
  })

  test('every key has the status of its table row', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'))
    const stated = rows.flatMap((row) => statusesIn(row.split('|').map((cell) => cell.trim())))
    expect(stated.length).toBeGreaterThan(80)
    expect(stated.filter(({ key, statuses }) => !statuses.includes(statusOf(key)))).toEqual([])
  })

  test('every key has the status of the list of added keys', () => {
    const list = /### G-150 .*?\n## /s.exec(text)?.[0] ?? ''
    const [errors = ''] = list.split('- issues inside')
    let status = ''
    for (const [word] of errors.matchAll(/\b[45]\d\d\b|\b[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\b/g)) {
      if (isErrorKey(word)) expect(`${word} ${statusOf(word)}`).toBe(`${word} ${status}`)
      else if (!COMING_KEYS.includes(word)) status = word
    }
    expect(status).toBe('403')
  })
})

function specificationFiles(): readonly string[] {
  const folder = join(specification, 'spec')
  return [...readdirSync(folder).map((name) => join(folder, name)), join(specification, 'WIRE.md')]
}

/** Rows of error tables: one cell is a key (or two with `or`), another is the status. */
function statusesIn(cells: readonly string[]): readonly { readonly key: string; readonly statuses: string }[] {
  const statuses = cells.find((cell) => /^[45]\d\d( or [45]\d\d)?$/.test(cell))
  if (statuses === undefined) return []
  return cells.flatMap((cell) => cell.split(' or ').filter(isErrorKey)).map((key) => ({ key, statuses }))
}

function statusOf(key: string): string {
  return isErrorKey(key) ? String(errorEntry(key).status) : 'none'
}

function areaOf(key: string): string {
  return key.slice(0, key.indexOf('.'))
}
