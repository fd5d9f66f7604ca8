import { expect, test } from 'vitest'
import { readRequest } from './request.ts'

test('takes the members of an authorize request and nothing else', () => {
  const query = new URLSearchParams('client_id=idw_1&mode=connect&state=s%20t&utm_source=mail&decision=approve')
  expect(readRequest(query)).toEqual({ client_id: 'idw_1', mode: 'connect', state: 's t' })
})

test.each(['', 'mode=connect', 'client_id=', 'client_id=idw_1&client_id=idw_2', 'client_id=idw_1&state=a&state=b'])(
  'refuses %j',
  (query) => {
    expect(readRequest(new URLSearchParams(query))).toBeNull()
  },
)
