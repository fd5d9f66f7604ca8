import { instant, type UserId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { intake } from '../../../flows/testing/definitions.ts'
import {
  definition,
  ids,
  parsed,
  PARTNER,
  partner,
  PERSON,
  person,
  run,
  STRANGER,
  US,
  WRAPPER,
} from '../../testing/run-parts.ts'
import type { SourceFile, StoredAnswer } from '../model.ts'
import { runToWire } from '../wire.ts'
import { matchSources, type NeededSource } from './source-files.ts'
import { readTagValues, type TagFacts } from './tag-values.ts'

describe('source files', () => {
  const needed: NeededSource[] = [US, PERSON].map((forUserId) => ({
    sourceKey: 'conn:customer:deed',
    forUserId,
    sourceUserId: PERSON,
  }))
  const file = (id: string, sourceUserId = PERSON) => ({ id, sourceUserId }) as unknown as SourceFile
  const staged = new Map([
    ['a', file('a')],
    ['b', file('b')],
    ['c', file('c', PARTNER)],
  ])
  const give = (...files: readonly (readonly [UserId, string])[]) => {
    const given = files.map(([forUserId, name]) => ({ sourceKey: 'conn:customer:deed', forUserId, file: name }))
    const result = matchSources(needed, given, staged)
    return result.ok ? result.value.map((one) => one.file.id) : result.refusal
  }

  test('are one staged copy per user, no more and no fewer [RUN-22] [RUN-23]', () => {
    expect(give([US, 'a'], [PERSON, 'b'])).toEqual(['a', 'b'])
    for (const files of [
      [[US, 'a']],
      [
        [US, 'a'],
        [PERSON, 'a'],
      ],
      [
        [US, 'a'],
        [PERSON, 'c'],
      ],
      [
        [US, 'a'],
        [PERSON, 'b'],
        [PARTNER, 'c'],
      ],
    ] as const)
      expect(give(...files)).toHaveProperty('missing')
  })

  test('that do not fit are named with those that are missing', () => {
    expect(give([US, 'a'], [PERSON, 'c'])).toEqual({
      missing: [{ source_key: 'conn:customer:deed', for_user_id: PERSON, source_user_id: PERSON }],
      unexpected: ['c'],
    })
  })
})

describe('tag values', () => {
  const [first, ...rest] = intake().nodes
  const text = { kind: 'text', body: 'Dear {{customer.name}}' }
  const texts = parsed(intake({ nodes: [{ ...first, elements: [text] }, ...rest] }))
  const fingerprints = new Map([
    ['company', 'c'.repeat(64)],
    [PERSON as string, 'd'.repeat(64)],
  ])
  const entry = (recipient: string, more: object = {}) => ({
    recipient_pubkey_sha256: fingerprints.get(recipient),
    public: WRAPPER,
    public_tags: ['customer.name'],
    private: {},
    ...more,
  })
  const parties = run().parties.filter(({ partyKey }) => partyKey !== 'partner')
  const values = (given: unknown, more: Partial<TagFacts> = {}) => {
    const result = readTagValues(texts, { parties, fingerprints, hasVersion: true, given, ...more })
    return result.ok ? [...(result.value?.keys() ?? [])] : result.refusal
  }
  const fit = () => ({ company: entry('company'), [PERSON]: entry(PERSON) })
  const invalid = { key: 'flows.tag_values_invalid' }

  test('are needed with the version where a text names a value of a customer [RUN-17]', () => {
    expect(values(fit())).toEqual(['company', PERSON])
    expect(values(fit(), { hasVersion: false })).toEqual(invalid)
    expect(values(undefined)).toEqual(invalid)
  })

  test('are keyed by recipient, exactly [RUN-18]', () => {
    expect(values({ company: entry('company') })).toEqual(invalid)
    expect(values({ ...fit(), [STRANGER]: entry(PERSON) })).toEqual(invalid)
  })

  test('have sealed public values, their names, and private ones apart [RUN-20]', () => {
    for (const more of [
      { public: 'plain' },
      { public_tags: ['customer.none'] },
      { public_tags: 'customer.name' },
      { private: { 'customer.name': WRAPPER } },
      { private: null },
    ])
      expect(values({ ...fit(), company: entry('company', more) })).toEqual(invalid)
    const apart = { public_tags: [], private: { 'customer.name': WRAPPER } }
    expect(values({ ...fit(), company: entry('company', apart) })).toEqual(['company', PERSON])
  })

  test('sealed to an old key are stale, and the recipients are named [RUN-21]', () => {
    const old = entry(PERSON, { recipient_pubkey_sha256: 'e'.repeat(64) })
    expect(values({ ...fit(), [PERSON]: old })).toEqual({ key: 'flows.tag_values_stale', stale: [PERSON] })
  })
})

describe('a run on the wire', () => {
  const answer = (slug: string): StoredAnswer => ({
    slug,
    partyKey: 'us',
    value: WRAPPER,
    isPrivate: false,
    isLinked: false,
    attested: null,
    file: null,
    at: instant(0),
  })
  const shown = () => runToWire(run(), definition, [answer('amount'), answer('nick')], [], [])

  test('has its ids, its bindings and its state [RUN-31]', () => {
    expect(shown()).toMatchObject({
      id: ids(10),
      flow_id: ids(11),
      flow_version: 1,
      service_id: ids(9),
      company_user_id: US,
      bindings: { us: US, customer: PERSON, partner: PARTNER },
      status: 'awaiting_us',
      current_node: 'ask',
      output_mode: 'data_only',
    })
  })

  test('names the connection of the first party that is not the owner [RUN-32]', () => {
    expect(shown().connection_id).toBe(person.id)
  })

  test('lists all participants, the company too, and the labels of the parties [RUN-34] [RUN-38]', () => {
    expect(shown().participants).toEqual([
      { party_key: 'us', person_user_id: US, connection_id: null, documents: [] },
      { party_key: 'customer', person_user_id: PERSON, connection_id: person.id, documents: [] },
      { party_key: 'partner', person_user_id: PARTNER, connection_id: partner.id, documents: [] },
    ])
    expect(shown().parties).toEqual([
      { key: 'us', label: 'Us' },
      { key: 'customer', label: 'Customer' },
      { key: 'partner', label: 'Partner' },
    ])
  })

  test("lists the company's copies of all answers [REGION-10] [RUN-39]", () => {
    expect(shown().answers.map(({ slug, for_user_id }) => [slug, for_user_id])).toEqual([
      ['amount', US],
      ['nick', US],
    ])
  })

  test('names the own copies of source files, and is empty without one [RUN-43]', () => {
    expect(shown().source_files).toEqual({})
    const source = (forUserId: UserId, id: string) => ({ sourceKey: 'conn:customer:deed', forUserId, id }) as never
    const { source_files } = runToWire(run(), definition, [], [source(PERSON, 'b'), source(US, 'a')], [])
    expect(source_files).toEqual({ 'conn:customer:deed': 'a' })
  })
})
