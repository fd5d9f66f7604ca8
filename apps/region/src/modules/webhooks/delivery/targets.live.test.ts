import { openHooks, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let two: TwoRegions

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '0', RATE_DATA: '60000' })
})
afterAll(() => two.close())

test('a delivery to a private target fails, by address and by name, without a connection', async () => {
  const hooks = await openHooks(two)
  const byAddress = await hooks.hook()
  const { port } = new URL(byAddress.receiver.url)
  const all = [
    byAddress,
    await hooks.hook({ url: `http://localhost:${port}/hook` }),
    await hooks.hook({ url: `http://[::ffff:127.0.0.1]:${port}/hook` }),
    await hooks.hook({ url: `http://10.0.0.1:${port}/hook` }),
    await hooks.hook({ url: `http://169.254.169.254/latest/meta-data` }),
    await hooks.hook({ url: `http://100.64.0.1/` }),
    // The object store, which the region itself may call.
    await hooks.hook({ url: `${two.environment.eu['S3_ENDPOINT']}/bucket` }),
  ]
  await hooks.append()
  for (const hook of all) {
    await hook.becomes('bad')
    expect(await hook.deliveries()).toMatchObject([{ http_status: null, error_class: 'refused' }])
    expect(hook.receiver.all).toEqual([])
  }
  expect(await byAddress.act('test')).toMatchObject({ status: 200, body: { http_status: null } })
  await hooks.close()
})
