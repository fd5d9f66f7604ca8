import type { PluginFieldType } from '@sealpost/flow'
import type { RequestFieldId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import type { RequestRow } from '../model.ts'
import { type GivenRow, validatePublication, type Publishing } from './publish.ts'

const REQUESTABLE = ['text', 'email', 'phone', 'photo']

const country = {
  label: 'Country',
  blocks: [{ key: 'country', kind: 'search_select', label: 'Country' }],
  inputs: [{ key: 'hint', type: 'text', label: 'Hint', required: false }],
  outputs: [{ key: 'code', type: 'text', label: 'Code' }],
} as const
const rate = { ...country, inputs: [{ key: 'amount', type: 'number', label: 'Amount', required: true }] } as const
const PLUGINS = new Map([
  [
    'rates',
    {
      name: 'Rates',
      host: 'rates.example.com',
      fieldTypes: new Map<string, PluginFieldType>([
        ['country', country],
        ['rate', rate],
      ]),
    },
  ],
  ['silent', { name: 'Silent', host: 'silent.example.com', fieldTypes: null }],
  ['twin_1', { name: 'Twin', host: 'one.example.com', fieldTypes: new Map([['country', country]]) }],
  ['twin_2', { name: 'Twin', host: 'two.example.com', fieldTypes: new Map([['country', country]]) }],
])

function publish(given: readonly GivenRow[], published: readonly RequestRow[] = []) {
  let made = 0
  const newId = (): RequestFieldId => `new-${(made += 1)}` as RequestFieldId
  return validatePublication(given, { published, requestable: REQUESTABLE, newId, plugins: PLUGINS })
}

function accepted(given: readonly GivenRow[], published: readonly RequestRow[] = []): Publishing {
  const validated = publish(given, published)
  if (!validated.ok) throw new Error(validated.refusal.reason)
  return validated.value
}

function rowsOf(given: readonly GivenRow[]): readonly RequestRow[] {
  return accepted(given).rows
}

const email: GivenRow = { slug: 'email', label: 'E-mail', type: 'email' }
const phone: GivenRow = { slug: 'phone', label: 'Phone', type: 'phone' }

test('a row has defaults for all absent members', () => {
  expect(rowsOf([email])).toEqual([
    {
      id: 'new-1',
      slug: 'email',
      label: 'E-mail',
      type: 'email',
      oneTime: false,
      mandatoryProvide: false,
      mandatoryConnected: false,
      audience: 'both',
      verified: false,
      verifiedMaxAgeDays: null,
      plugin: null,
    },
  ])
})

describe('a given row is matched', () => {
  const published = rowsOf([email, phone])
  const [emailId, phoneId] = published.map(({ id }) => id)

  test('by its id, also under a new slug', () => {
    const { rows, removed } = accepted([{ ...email, id: emailId ?? '', slug: 'mail' }, phone], published)
    expect(rows.map(({ id, slug }) => [id, slug])).toEqual([
      [emailId, 'mail'],
      [phoneId, 'phone'],
    ])
    expect(removed).toEqual([])
  })

  test('by its slug when it has no id', () => {
    const { rows, removed } = accepted([phone], published)
    expect(rows.map(({ id }) => id)).toEqual([phoneId])
    expect(removed.map(({ slug }) => slug)).toEqual(['email'])
  })

  test('by its slug when its id is unknown', () => {
    expect(accepted([{ ...phone, id: 'unknown' }], published).rows.map(({ id }) => id)).toEqual([phoneId])
  })

  test('by its id when two rows exchange their slugs', () => {
    const { rows, removed } = accepted(
      [
        { ...email, id: emailId ?? '', slug: 'phone' },
        { ...phone, id: phoneId ?? '', slug: 'email' },
      ],
      published,
    )
    expect(rows.map(({ id, slug }) => [id, slug])).toEqual([
      [emailId, 'phone'],
      [phoneId, 'email'],
    ])
    expect(removed).toEqual([])
  })

  test('with no published row when it takes the old slug of a renamed one', () => {
    const { rows } = accepted([{ ...email, id: emailId ?? '', slug: 'mail' }, email, phone], published)
    expect(rows.map(({ id }) => id)).toEqual([emailId, 'new-1', phoneId])
  })

  test('by its id when its slug is blank, and keeps the published slug', () => {
    const { rows } = accepted([{ id: emailId ?? '', label: 'Another label', type: 'email', slug: ' ' }], published)
    expect(rows.map(({ id, slug, label }) => [id, slug, label])).toEqual([[emailId, 'email', 'Another label']])
  })
})

describe('audience', () => {
  test('is kept when absent; for a new row it is both', () => {
    const first = rowsOf([{ ...email, audience: 'person' }, phone])
    expect(accepted([email, phone], first).rows.map(({ audience }) => audience)).toEqual(['person', 'both'])
    expect(accepted([{ ...email, audience: 'company' }, phone], first).rows[0]?.audience).toBe('company')
  })

  test('of a row that a plugin answers is person, and no other', () => {
    const row = { slug: 'p', label: 'P', type: 'plugin', one_time: true }
    for (const audience of ['both', 'company'] as const) {
      expect(publish([{ ...row, audience }])).toMatchObject({
        ok: false,
        refusal: { key: 'services.request_field_plugin_invalid', reason: expect.stringContaining('asks persons only') },
      })
    }
    for (const audience of [undefined, 'person'] as const) {
      const plugin = { plugin_id: 'rates', field_type: 'country' }
      const asked = { ...row, plugin, ...(audience === undefined ? {} : { audience }) }
      expect(rowsOf([asked])[0]?.audience).toBe('person')
    }
  })
})

describe('one_time', () => {
  const [once] = rowsOf([{ ...email, one_time: true }])
  const published = once === undefined ? [] : [once]

  test('of a published row stays when absent', () => {
    expect(accepted([email], published)).toEqual({ rows: published, removed: [] })
    expect(accepted([{ ...email, one_time: true, label: 'Mail' }], published).rows).toMatchObject([{ oneTime: true }])
  })

  test('of a published row never changes, whether it is named by its id or by its slug', () => {
    for (const named of [{ slug: 'mail', id: once?.id ?? '' }, {}]) {
      const refused = publish([{ ...email, ...named, one_time: false }], published)
      expect(refused).toMatchObject({ ok: false, refusal: { key: 'services.request_field_type_locked' } })
    }
  })

  test('of a published row that stays absent cannot be combined with a row that must stay connected', () => {
    const refused = publish([{ ...email, mandatory_connected: true }], published)
    expect(refused).toMatchObject({ ok: false, refusal: { key: 'services.request_field_invalid' } })
  })
})

describe('mandatory', () => {
  test.each([
    [{ mandatory: true }, true, false],
    [{ mandatory: false }, false, false],
    [{ mandatory: true, mandatory_connected: true, mandatory_provide: false }, false, true],
    [{ mandatory: false, mandatory_provide: true }, true, false],
    [{ mandatory_connected: true }, false, true],
  ])('%j', (members, provide, connected) => {
    const [row] = rowsOf([{ ...email, ...members }])
    expect([row?.mandatoryProvide, row?.mandatoryConnected]).toEqual([provide, connected])
  })
})

describe('a blank slug is made from the label', () => {
  const derive = (...labels: string[]): readonly string[] =>
    rowsOf(labels.map((label) => ({ label, type: 'text' }))).map(({ slug }) => slug)

  test.each([
    ['First name', 'first_name'],
    ['  Größe (cm) ', 'gro_e_cm'],
    ['24h number', 'field_24h_number'],
    ['電話', 'field'],
  ])('%s becomes %s', (label, slug) => {
    expect(derive(label)).toEqual([slug])
  })

  test('unique for every row', () => {
    expect(derive('First name', 'First name', 'first-name')).toEqual(['first_name', 'first_name_2', 'first_name_3'])
    expect(rowsOf([{ label: 'Email', type: 'text' }, email]).map(({ slug }) => slug)).toEqual(['email_2', 'email'])
  })

  test('also from a label that is longer than a slug', () => {
    const slugs = derive('x'.repeat(200), 'x'.repeat(200))
    expect(slugs.map((slug) => slug.length)).toEqual([64, 64])
    expect(slugs[1]).toMatch(/_2$/)
  })

  test('and the same list without slugs can be published again', () => {
    const given = [
      { label: 'First name', type: 'text' },
      { label: 'First name', type: 'text' },
    ]
    const first = accepted(given)
    const again = accepted(given, first.rows)
    expect(again).toEqual({ rows: first.rows, removed: [] })
  })
})

describe('a publication', () => {
  const published = rowsOf([email])
  const [emailId = ''] = published.map(({ id }) => id)
  test.each<[string, readonly GivenRow[], string]>([
    ['a slug that begins with a digit', [{ ...email, slug: '1st' }], 'slug_invalid'],
    ['a slug in upper case', [{ ...email, slug: 'Email' }], 'slug_invalid'],
    ['a slug that is too long', [{ ...email, slug: 'a'.repeat(65) }], 'slug_invalid'],
    ['a slug that is no string', [{ ...email, slug: 7 }], 'slug_invalid'],
    ['the same slug twice', [email, { ...phone, slug: 'email' }], 'slug_duplicate'],
    ['a row without a type', [{ slug: 'a', label: 'A' }], 'type_invalid'],
    ['a type that cannot be requested', [{ ...phone, type: 'select' }], 'type_invalid'],
    ['another type for a published id', [{ ...email, id: emailId, type: 'text' }], 'type_locked'],
    ['a published row that becomes shared once', [{ ...email, one_time: true }], 'type_locked'],
    ['another type for a published slug', [{ ...email, type: 'text' }], 'type_locked'],
    [
      'a row that is shared once and must stay connected',
      [{ ...email, one_time: true, mandatory_connected: true }],
      'invalid',
    ],
    [
      'the same id twice',
      [
        { ...email, id: emailId },
        { ...email, id: emailId, slug: 'other' },
      ],
      'invalid',
    ],
    ['a plugin row that is not shared once', [{ slug: 'p', label: 'P', type: 'plugin', plugin: {} }], 'plugin_invalid'],
    [
      'a plugin that the account does not have',
      [{ slug: 'p', label: 'P', type: 'plugin', one_time: true }],
      'plugin_invalid',
    ],
    ['a plugin beside another type', [{ ...phone, one_time: true, plugin: { plugin_name: 'x' } }], 'plugin_invalid'],
    ['the 101st row', Array.from({ length: 101 }, (_, n) => ({ ...phone, slug: `s${n}` })), 'invalid'],
  ])('is refused for %s', (_, given, kind) => {
    const validated = publish(given, published)
    expect(validated.ok ? null : validated.refusal.key).toBe(`services.request_field_${kind}`)
    expect(validated.ok ? '' : validated.refusal.reason).toMatch(/^Nothing was published: ./)
  })

  test('skips rows of flows', () => {
    const flow = { slug: '??', label: 'Of a flow', type: 'nothing', flow_id: 'f' }
    expect(accepted([email, flow], published)).toEqual({ rows: published, removed: [] })
  })

  test('accepts a published row whose type can no longer be requested', () => {
    const old = published.map((row) => ({ ...row, type: 'withdrawn' }))
    expect(accepted([{ ...email, type: 'withdrawn' }], old).rows).toEqual(old)
  })
})

test('a refusal does not repeat an invalid type', () => {
  const validated = publish([{ ...phone, type: 'x'.repeat(1_000_000) }], [])
  expect(validated.ok ? '' : validated.refusal.reason.length).toBeLessThan(200)
})

test('100 rows with one_time and verified are accepted', () => {
  const rows = Array.from({ length: 100 }, (_, n) => ({ ...phone, slug: `s${n}`, one_time: true, verified: true }))
  expect(rowsOf(rows)).toHaveLength(100)
})

describe('a row that a plugin answers', () => {
  const row: GivenRow = { slug: 'land', label: 'Country', type: 'plugin', one_time: true }
  const chosen = {
    plugin_id: 'rates',
    plugin_name: 'Rates',
    field_type: 'country',
    snapshot: { plugin_name: 'Rates', host: 'rates.example.com', ...country },
  }

  test('has the description of the plugin, which is named by id or by a name of its own', () => {
    for (const plugin of [
      { plugin_id: 'rates', field_type: 'country' },
      { plugin_name: 'Rates', field_type: 'country' },
      { ...chosen, plugin_name: 'Renamed', snapshot: {} },
    ]) {
      expect(rowsOf([{ ...row, plugin }])).toMatchObject([{ type: 'plugin', oneTime: true, plugin: chosen }])
    }
  })

  test.each<[string, GivenRow, string]>([
    ['no plugin', row, 'has no plugin'],
    ['a plugin of another company', { ...row, plugin: { plugin_id: 'x', field_type: 'country' } }, 'does not have'],
    ['no description', { ...row, plugin: { plugin_id: 'silent', field_type: 'country' } }, 'description'],
    ['an unknown field type', { ...row, plugin: { plugin_id: 'rates', field_type: 'x' } }, 'field type'],
    ['no field type', { ...row, plugin: { plugin_id: 'rates' } }, 'field type'],
    ['a required input', { ...row, plugin: { plugin_id: 'rates', field_type: 'rate' } }, 'requires the input amount'],
    ['a name of two plugins', { ...row, plugin: { plugin_name: 'Twin', field_type: 'country' } }, 'several'],
    ['another type', { ...row, type: 'text', plugin: { plugin_id: 'rates', field_type: 'country' } }, 'type must be'],
    ['a value that stays live', { ...row, one_time: false }, 'shared once'],
    ['a verified value', { ...row, verified: true }, 'never verified'],
  ])('is refused for %s', (_, given, reason) => {
    expect(publish([given])).toMatchObject({
      ok: false,
      refusal: { key: 'services.request_field_plugin_invalid', reason: expect.stringContaining(reason) },
    })
  })
})
