import { allOperations } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { urgencyOf } from './urgency.ts'

test('logins come first, files and large bodies last, and every urgency is in use', () => {
  const ids = Object.groupBy(allOperations, urgencyOf)
  const idsOf = (urgency: keyof typeof ids) => ids[urgency]?.map(({ id }) => id) ?? []
  expect(idsOf('login')).toEqual(expect.arrayContaining(['session.open', 'oauth.request_token']))
  expect(idsOf('dear')).toEqual(expect.arrayContaining(['connections.list', 'connections.read_file']))
  expect(idsOf('read').length).toBeGreaterThan(50)
  expect(idsOf('write').length).toBeGreaterThan(50)
})
