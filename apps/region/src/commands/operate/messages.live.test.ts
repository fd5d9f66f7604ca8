import { openWorld, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { operate } from './index.ts'

const world = await openWorld()
const service = await world.service([])
const broadcast = () => service.data('POST', '/api/company-data/broadcast', { body: { body: 'x' } })

test('messages:suspend holds for one service until it is turned off', async () => {
  const command = ['messages:suspend', service.company.companyId, service.serviceId, 'broadcasts']
  expect(await operate(world.eu, [...command, 'on'])).toBe(`broadcasts of ${service.serviceId} are suspended`)
  expect(await operate(world.eu, [...command, 'on'])).toBe(`broadcasts of ${service.serviceId} are suspended`)
  expect(await broadcast()).toMatchObject(refused(403, 'messages.broadcast_suspended'))
  expect(await operate(world.eu, [...command, 'off'])).toBe(`broadcasts of ${service.serviceId} are allowed`)
  expect(await broadcast()).toMatchObject({ status: 202 })
})

test('messages:suspend names its usage, and refuses a service of another region', async () => {
  await expect(operate(world.eu, ['messages:suspend', 'x'])).rejects.toThrow('messages|broadcasts on|off')
  const command = ['messages:suspend', service.company.companyId, service.serviceId, 'messages', 'on']
  await expect(operate(world.us, command)).rejects.toThrow('run this in its home region')
})
