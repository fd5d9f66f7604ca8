import { appendFileSync } from 'node:fs'
import { socketDialer } from '@sealpost/egress'
import { forwarderSettings, startForwarder } from '@sealpost/forwarder'
import { runApp } from '@sealpost/process'
import { kindOf, PRIVATE_ADDRESS, PUBLIC_ADDRESS, type RoutePlan } from './plan.ts'

/**
 * The forwarder as in production: it calls public addresses only. Names are answered here, and connections to the public
 * address end at the servers of the run; every other address that it dials is written to a file.
 */
const { ROUTE = '{}', DIALLED_FILE = '' } = process.env
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the scenario from this type
const plan = JSON.parse(ROUTE) as RoutePlan
const dialer = socketDialer({ trustedCertificates: [plan.authority] })
let questions = 0

const route = {
  resolver: {
    resolve(name: string): Promise<readonly string[]> {
      if (kindOf(name) !== 'rebinding') return Promise.resolve([PUBLIC_ADDRESS])
      questions += 1
      return Promise.resolve(
        [[PUBLIC_ADDRESS], [PRIVATE_ADDRESS], [PUBLIC_ADDRESS, PRIVATE_ADDRESS]][questions % 3] ?? [],
      )
    },
  },
  dialer: {
    dial(target: Parameters<typeof dialer.dial>[0], signal: AbortSignal) {
      if (target.address !== PUBLIC_ADDRESS) appendFileSync(DIALLED_FILE, `${target.address}\n`)
      const port = kindOf(target.certificateHost ?? '') === null ? plan.honestPort : plan.hostilePort
      return dialer.dial({ ...target, address: '127.0.0.1', port }, signal)
    },
  },
}

await runApp(
  {
    name: 'forwarder',
    version: '0.0.0',
    settings: forwarderSettings,
    start: (settings, options) => startForwarder(settings, { ...options, route }),
  },
  (settings) => settings,
)
