import type { RequestFieldId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import type { RequestRow } from '../service.ts'
import { type GivenRow, judgePublication, type Publishing } from './publish.ts'

const REQUESTABLE = ['text', 'email', 'phone', 'photo']

function publish(given: readonly GivenRow[], published: readonly RequestRow[] = []) {
  let made = 0
  const newId = (): RequestFieldId => `new-${(made += 1)}` as RequestFieldId
  return judgePublication(given, { published, requestable: REQUESTABLE, newId })
}

function demand(given: readonly GivenRow[], published: readonly RequestRow[] = []): Publishing {
  const judged = publish(given, published)
  if (!judged.ok) throw new Error(judged.refusal.reason)
  return judged.value
}

function rowsOf(given: readonly GivenRow[]): readonly RequestRow[] {
  return demand(given).rows
}

const email: GivenRow = { slug: 'email', label: 'E-mail', type: 'email' }
const phone: GivenRow = { slug: 'phone', label: 'Phone', type: 'phone' }

test('a row has defaults for everything that was left out', () => {
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

describe('a given row is the published one', () => {
  const published = rowsOf([email, phone])
  const [emailId, phoneId] = published.map(({ id }) => id)

  test('that its id names, also under a new slug', () => {
    const { rows, removed } = demand([{ ...email, id: emailId ?? '', slug: 'mail' }, phone], published)
    expect(rows.map(({ id, slug }) => [id, slug])).toEqual([
      [emailId, 'mail'],
      [phoneId, 'phone'],
    ])
    expect(removed).toEqual([])
  })

  test('with its slug, when it has no id', () => {
    const { rows, removed } = demand([phone], published)
    expect(rows.map(({ id }) => id)).toEqual([phoneId])
    expect(removed.map(({ slug }) => slug)).toEqual(['email'])
  })

  test('with its slug, when its id is that of nobody', () => {
    expect(demand([{ ...phone, id: 'nobody' }], published).rows.map(({ id }) => id)).toEqual([phoneId])
  })

  test('under a slug that another row had: two may change places', () => {
    const { rows, removed } = demand(
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

  test('and one that takes the old slug of a renamed row is new', () => {
    const { rows } = demand([{ ...email, id: emailId ?? '', slug: 'mail' }, email, phone], published)
    expect(rows.map(({ id }) => id)).toEqual([emailId, 'new-1', phoneId])
  })

  test('with its slug, when that is left blank and the id is there', () => {
    const { rows } = demand([{ id: emailId ?? '', label: 'Another label', type: 'email', slug: ' ' }], published)
    expect(rows.map(({ id, slug, label }) => [id, slug, label])).toEqual([[emailId, 'email', 'Another label']])
  })
})

describe('audience', () => {
  test('is kept when it is left out, and both at first', () => {
    const first = rowsOf([{ ...email, audience: 'person' }, phone])
    expect(demand([email, phone], first).rows.map(({ audience }) => audience)).toEqual(['person', 'both'])
    expect(demand([{ ...email, audience: 'company' }, phone], first).rows[0]?.audience).toBe('company')
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

describe('a blank slug is derived from the label', () => {
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

  test('once for every row', () => {
    expect(derive('First name', 'First name', 'first-name')).toEqual(['first_name', 'first_name_2', 'first_name_3'])
    expect(rowsOf([{ label: 'Email', type: 'text' }, email]).map(({ slug }) => slug)).toEqual(['email_2', 'email'])
  })

  test('also of a label that is longer than a slug', () => {
    const slugs = derive('x'.repeat(200), 'x'.repeat(200))
    expect(slugs.map((slug) => slug.length)).toEqual([64, 64])
    expect(slugs[1]).toMatch(/_2$/)
  })

  test('so that the same list without slugs can be published again', () => {
    const given = [
      { label: 'First name', type: 'text' },
      { label: 'First name', type: 'text' },
    ]
    const first = demand(given)
    const again = demand(given, first.rows)
    expect(again).toEqual({ rows: first.rows, removed: [] })
  })
})

describe('is refused', () => {
  const published = rowsOf([email])
  const [emailId = ''] = published.map(({ id }) => id)
  test.each<[string, readonly GivenRow[], string]>([
    ['a slug that begins with a digit', [{ ...email, slug: '1st' }], 'slug_invalid'],
    ['a slug in upper case', [{ ...email, slug: 'Email' }], 'slug_invalid'],
    ['a slug that is too long', [{ ...email, slug: 'a'.repeat(65) }], 'slug_invalid'],
    ['a slug that is no text', [{ ...email, slug: 7 }], 'slug_invalid'],
    ['the same slug twice', [email, { ...phone, slug: 'email' }], 'slug_duplicate'],
    ['a row without a type', [{ slug: 'a', label: 'A' }], 'type_invalid'],
    ['a type that cannot be requested', [{ ...phone, type: 'select' }], 'type_invalid'],
    ['another type for a published id', [{ ...email, id: emailId, type: 'text' }], 'type_locked'],
    ['another type for a published slug', [{ ...email, type: 'text' }], 'type_locked'],
    ['once and to stay connected', [{ ...email, one_time: true, mandatory_connected: true }], 'invalid'],
    [
      'the same id twice',
      [
        { ...email, id: emailId },
        { ...email, id: emailId, slug: 'other' },
      ],
      'invalid',
    ],
    ['a plugin row that is not shared once', [{ slug: 'p', label: 'P', type: 'plugin', plugin: {} }], 'plugin_invalid'],
    ['a plugin that nobody has', [{ slug: 'p', label: 'P', type: 'plugin', one_time: true }], 'plugin_invalid'],
    ['a plugin beside another type', [{ ...phone, one_time: true, plugin: { plugin_name: 'x' } }], 'plugin_invalid'],
    ['the 101st row', Array.from({ length: 101 }, (_, n) => ({ ...phone, slug: `s${n}` })), 'invalid'],
  ])('%s', (_, given, kind) => {
    const judged = publish(given, published)
    expect(judged.ok ? null : judged.refusal.key).toBe(`services.request_field_${kind}`)
    expect(judged.ok ? '' : judged.refusal.reason).toMatch(/^Nothing was published: ./)
  })

  test('nothing about rows of flows: they are passed over', () => {
    const flow = { slug: '??', label: 'Of a flow', type: 'nothing', flow_id: 'f' }
    expect(demand([email, flow], published)).toEqual({ rows: published, removed: [] })
  })

  test('nothing about a type that could be requested when its row was published', () => {
    const old = published.map((row) => ({ ...row, type: 'withdrawn' }))
    expect(demand([{ ...email, type: 'withdrawn' }], old).rows).toEqual(old)
  })
})

test('a refusal does not repeat a text that is no type', () => {
  const judged = publish([{ ...phone, type: 'x'.repeat(1_000_000) }], [])
  expect(judged.ok ? '' : judged.refusal.reason.length).toBeLessThan(200)
})

test('one_time with verified is allowed, and 100 rows are', () => {
  const rows = Array.from({ length: 100 }, (_, n) => ({ ...phone, slug: `s${n}`, one_time: true, verified: true }))
  expect(rowsOf(rows)).toHaveLength(100)
})
