import { expect, test } from 'vitest'
import { shapeObjection } from './module-shape.ts'

const objection = (path: string, text = 'export const x = 1'): string | null => shapeObjection('region', path, text)

test.each([
  'feed/README.md',
  'feed/index.ts',
  'feed/wire.ts',
  'feed/drain.live.test.ts',
  'feed/operations/append-event.ts',
  'feed/routes/drain.ts',
  'feed/queues/module.ts',
  'feed/queues/store/leases.ts',
  'mail/texts/english.ts',
  'documents/service-side/model.ts',
  'documents/customer-side/store/inbox.ts',
])('%s has its place in a module', (path) => {
  expect(objection(path)).toBeNull()
})

test.each([
  ['feed/log.ts', 'await runStatement(tx, sql)', 'store/log.ts'],
  ['feed/pages.ts', 'bind({ operation })', 'routes/pages.ts'],
  ['feed/answers.ts', 'bus.onRead(ask, answer)', 'bus/answers.ts'],
  ['feed/event.ts', 'export interface Event {}', 'model.ts'],
  ['feed/drain.ts', 'export async function drain() {}', 'operations/drain.ts'],
  ['feed/ranges.ts', 'export function join() {}', 'rules/ranges.ts'],
  ['feed/store.ts', 'export const rows = runStatement', 'store/store.ts'],
  ['feed/queues/claim.ts', 'export async function claim() {}', 'operations/claim.ts'],
  ['documents/service-side/record.ts', 'export type Row = string', 'model.ts'],
  ['feed/NOTES.md', '', 'README.md'],
])('%s is refused with its place', (path, text, home) => {
  expect(objection(path, text)).toContain(home)
})

test('a folder that is neither of the shape nor a listed sub-machine is refused', () => {
  expect(objection('feed/acts/complete.ts')).toContain('acts/ is not a folder of the module shape')
  expect(objection('account/queues/rules/x.ts')).toContain('list a sub-machine of account in SUB_MACHINES')
  expect(objection('feed/queues/parts/x.ts')).toContain('parts/ is not a folder')
})
