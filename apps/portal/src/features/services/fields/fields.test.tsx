import { FailureError } from '@sealpost/ui/failure'
import type { Answers } from '@sealpost/web-app/testing'
import { expect, test } from 'vitest'
import type { Commands } from '../../../shell/worker.ts'
import { INJECTIONS, openPage } from '../../../testing/open-page.tsx'
import type { AskedRow, AskedRows } from '../../../worker/commands/request-rows.ts'
import Fields from './fields.tsx'

const SERVICE = { id: 's1', name: 'Home visits', code: 'NRTHWD/VISITS', createdAt: '2030-01-02T00:00:00.000Z' }
const row = (slug: string, more: Partial<AskedRow> = {}): AskedRow => ({
  id: slug,
  slug,
  label: slug,
  type: 'text',
  oneTime: false,
  mandatoryProvide: false,
  mandatoryConnected: false,
  audience: 'both',
  verified: false,
  maxAgeDays: null,
  plugin: null,
  flowName: null,
  values: 0,
  ...more,
})
const ROWS: AskedRows = {
  token: 't1',
  rows: [row('Name', { values: 1204, mandatoryProvide: true }), row('Phone', { type: 'phone', values: 5 })],
  types: ['text', 'phone', 'loyalty_number'],
}
const ANSWERS: Answers<Commands> = { readService: () => SERVICE, serviceKeyState: () => null, readRows: () => ROWS }

async function openFields(answers: Answers<Commands> = {}) {
  const opened = await openPage(<Fields params={{ service: 's1' }} />, { ...ANSWERS, ...answers })
  await opened.screen.until(() => opened.screen.find('table') ?? opened.screen.find('alert'))
  return opened
}

const published = (asked: readonly { readonly name: string; readonly input: readonly unknown[] }[]) =>
  asked.filter(({ name }) => name === 'publishRows').map(({ input }) => input[0])

test('a removal says how many values of customers it deletes, before and on the button', async () => {
  const { screen, worker } = await openFields({ publishRows: () => {} })
  await screen.until(() => screen.find('button', 'Remove Name'))
  await screen.click('button', 'Remove Name')
  expect(screen.text).toContain('deletes the values of 1,204 customers, for good')
  expect(published(worker.asked)).toEqual([])
  await screen.click('button', 'Publish, and delete 1,204 values')
  await screen.until(() => published(worker.asked).length === 1)
  expect(published(worker.asked)).toEqual([{ serviceId: 's1', token: 't1', rows: [ROWS.rows[1]] }])
})

test('what is added and changed is compared before it is published', async () => {
  const { screen, worker } = await openFields({ publishRows: () => {} })
  await screen.until(() => screen.find('button', 'Add something'))
  await screen.click('button', 'Add something')
  await screen.until(() => screen.find('textbox', 'What it is'))
  await screen.type('textbox', 'What it is', 'Card of the shop')
  await screen.type('combobox', 'Kind', 'loyalty_number')
  await screen.click('button', 'Done')
  await screen.until(() => screen.find('button', 'Change Phone'))
  await screen.click('button', 'Change Phone')
  await screen.until(() => screen.find('checkbox', /^Needed to connect/))
  await screen.click('checkbox', /^Needed to connect/)
  await screen.click('button', 'Done')
  expect(screen.get('list', 'What you publish').textContent).toContain('Card of the shop')
  expect(screen.text).toContain('needed to connect: no → yes')
  expect(screen.text).toContain('loyalty number')
  expect(screen.text).toContain('Connected customers are asked for what is new')
  await screen.click('button', 'Publish')
  await screen.until(() => published(worker.asked).length === 1)
  expect(published(worker.asked)[0]).toMatchObject({
    rows: [{}, { mandatoryProvide: true }, { type: 'loyalty_number' }],
  })
})

test('changes can be dropped, and a new row without a name is none', async () => {
  const { screen } = await openFields()
  await screen.until(() => screen.find('button', 'Remove Phone'))
  await screen.click('button', 'Remove Phone')
  await screen.click('button', 'Drop my changes')
  expect(screen.find('button', 'Remove Phone')).not.toBeNull()
  await screen.click('button', 'Add something')
  await screen.until(() => screen.find('button', 'Done'))
  await screen.click('button', 'Done')
  expect(screen.text).not.toContain('What you publish')
})

function conflicting(): Answers<Commands> {
  let reads = 0
  const theirs = {
    ...ROWS,
    token: 't2',
    rows: [row('Name', { label: 'Full name', values: 1204 }), ...ROWS.rows.slice(1)],
  }
  let isTaken = true
  return {
    readRows: () => ((reads += 1) === 1 ? ROWS : theirs),
    publishRows: ({ token }) => {
      if (token === 't1' || isTaken) isTaken = false
      if (token === 't1') throw new FailureError({ kind: 'refused', key: 'services.config_conflict' })
    },
  }
}

test('when another user has published, both sides are shown, and nothing is overwritten without a decision', async () => {
  const { screen, worker } = await openFields(conflicting())
  await screen.until(() => screen.find('button', 'Remove Phone'))
  await screen.click('button', 'Remove Phone')
  await screen.click('button', 'Publish, and delete 5 values')
  await screen.until(() => screen.find('heading', 'Two have changed it at once'))
  expect(screen.get('list', 'What they have published').textContent).toContain('Full name')
  expect(screen.get('list', 'What you have changed').textContent).toContain('Phone')
  expect(screen.find('button', /^Publish/)).toBeNull()
  await screen.click('button', 'Put mine on top of theirs')
  await screen.click('button', 'Publish, and delete 5 values')
  await screen.until(() => published(worker.asked).length === 2)
  expect(published(worker.asked)[1]).toMatchObject({ token: 't2', rows: [{ label: 'Full name' }] })
})

test('their side can be taken', async () => {
  const { screen } = await openFields(conflicting())
  await screen.until(() => screen.find('button', 'Remove Phone'))
  await screen.click('button', 'Remove Phone')
  await screen.click('button', 'Publish, and delete 5 values')
  await screen.until(() => screen.find('button', 'Take theirs, drop mine'))
  await screen.click('button', 'Take theirs, drop mine')
  expect(screen.find('button', 'Remove Phone')).not.toBeNull()
  expect(screen.text).toContain('Full name')
  expect(screen.find('button', /^Publish/)).toBeNull()
})

test('another refusal keeps what was changed here', async () => {
  const { screen } = await openFields({
    publishRows: () => {
      throw new FailureError({ kind: 'refused', key: 'services.request_field_invalid' })
    },
  })
  await screen.until(() => screen.find('button', 'Remove Phone'))
  await screen.click('button', 'Remove Phone')
  await screen.click('button', 'Publish, and delete 5 values')
  await screen.until(() => screen.find('alert'))
  expect(screen.find('button', 'Publish, and delete 5 values')).not.toBeNull()
})

test('rows of flows and plugins say what they are; those of flows are not changed here', async () => {
  const plugin = { pluginId: 'p1', name: 'Places <b>', fieldType: 'search' }
  const { screen } = await openFields({
    readRows: () => ({
      ...ROWS,
      rows: [row('Lease', { flowName: 'Tenancy' }), row('Place', { type: 'plugin', plugin })],
    }),
  })
  await screen.until(() => screen.text.includes('Comes from the flow Tenancy'))
  expect(screen.find('button', 'Remove Lease')).toBeNull()
  expect(screen.text).toContain('Places <b>')
})

test('nothing is asked for yet only after it was read', async () => {
  let isThere = false
  const { screen } = await openFields({
    readRows: () => {
      if (isThere) return { ...ROWS, rows: [] }
      throw new FailureError({ kind: 'offline' })
    },
  })
  await screen.until(() => screen.find('alert'))
  expect(screen.text).not.toContain('No customer is asked for anything yet')
  isThere = true
  await screen.click('button', 'Try again')
  await screen.until(() => screen.text.includes('No customer is asked for anything yet'))
})

test.each(INJECTIONS)('%j as the name of a row is text', async (label) => {
  const { screen } = await openFields({ readRows: () => ({ ...ROWS, rows: [row('x', { label, values: 3 })] }) })
  await screen.until(() => document.body.textContent?.includes(label))
  await screen.click('button', `Remove ${label}`.replaceAll(/\s+/g, ' '))
  expect(document.querySelector('body img, body script')).toBeNull()
})
