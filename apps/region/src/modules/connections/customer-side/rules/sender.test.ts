import type { ServiceId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { isOfSender } from './sender.ts'

const own = { companyRegion: 'eu', serviceId: 'own' as ServiceId }

test('a connection belongs to the sender only if region and service are its own', () => {
  expect(isOfSender(own, { ...own })).toBe(true)
  expect(isOfSender(own, { ...own, companyRegion: 'us' })).toBe(false)
  expect(isOfSender(own, { ...own, serviceId: 'other' as ServiceId })).toBe(false)
})
