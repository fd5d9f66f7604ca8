import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const world = await openWorld({ settings: { ALLOW_PRIVATE_TARGETS: '0' } })
const service = await world.service()

test('a delivery to a private target fails, by address and by name, without a connection', async () => {
  const byAddress = await service.webhook()
  const { port } = new URL(byAddress.receiver.url)
  const all = [
    byAddress,
    await service.webhook({ url: `http://localhost:${port}/hook` }),
    await service.webhook({ url: `http://[::ffff:127.0.0.1]:${port}/hook` }),
    await service.webhook({ url: `http://10.0.0.1:${port}/hook` }),
    await service.webhook({ url: `http://169.254.169.254/latest/meta-data` }),
    await service.webhook({ url: `http://100.64.0.1/` }),
    // The object store, which the region itself may call.
    await service.webhook({ url: `${world.environment.eu['S3_ENDPOINT']}/bucket` }),
  ]
  await service.append()
  for (const hook of all) {
    await hook.becomes('bad')
    expect(await hook.deliveries()).toMatchObject([{ http_status: null, error_class: 'refused' }])
    expect(hook.receiver.all).toEqual([])
  }
  expect(await byAddress.post('test')).toMatchObject({ status: 200, body: { http_status: null } })
})
