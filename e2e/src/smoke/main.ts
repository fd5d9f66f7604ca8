import { startDemoVerifier, startInstallation } from '@sealpost/testkit'
import { walkAccess } from './access.ts'
import { walkDelivery } from './delivery.ts'
import { Hops } from './hops.ts'
import { walkOutage, walkRevocation } from './operation.ts'
import { walkParting, walkSharing } from './sharing.ts'

/** `npm run smoke`: real processes, two regions; every hop of the thread is walked, checked and printed. */
const hops = new Hops()
const MANY_LOGINS = { RATE_LOGIN_IP: '600', RATE_LOGIN_ACCOUNT: '600' }
/** The clinic's endpoint is on this machine. */
const LOCAL_TARGETS = { ALLOW_PRIVATE_TARGETS: '1' }

const verifier = await startDemoVerifier()
const installation = await startInstallation({
  settings: { STRICT_CONTRACT: '1', LOG_LEVEL: 'warn', VERIFIERS: verifier.setting, ...MANY_LOGINS, ...LOCAL_TARGETS },
  onStep: (step) => console.log(`      ${step}`),
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
try {
  await walkAccess(hops, installation)
  await walkRevocation(hops, installation)
  const sharing = await walkSharing(hops, installation, verifier)
  await walkDelivery(sharing)
  await walkOutage(hops, installation)
  await walkParting(sharing, installation)
} catch (error) {
  hops.check(`no hop throws: ${String(error)}`, false)
  for (const app of [installation.frontDoor, installation.eu, installation.us]) console.log(app.name, app.tail())
} finally {
  await installation.stop()
  await verifier.close()
}
process.exit(hops.summary() === 0 ? 0 : 1)
