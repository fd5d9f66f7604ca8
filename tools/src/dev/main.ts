import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { personConfig } from '@sealpost/person/build'
import { portalConfig } from '@sealpost/portal/build'
import { APP_ORIGIN, companies, startInstallation } from '@sealpost/testkit'
import { demoPersons, seedContract, seedDemo } from '@sealpost/testkit/demo'
import { localLogin } from '../infra/bus-folder.ts'
import { describeEngines } from '../infra/describe-engines.ts'
import { knownEngines } from '../infra/known-engines.ts'
import { localFolder } from '../infra/local-folder.ts'
import { withInfraLock } from '../infra/lock.ts'
import { bringUp } from '../infra/up.ts'
import { chooseAddresses } from './addresses.ts'
import { keptSeal } from './kept-seal.ts'
import { readable } from './readable.ts'
import { openStartupLines } from './startup-lines.ts'
import { serveWebApp } from './web-app.ts'

/**
 * `npm run dev`: the engines, a front door, two regions, a forwarder and the web apps with reload; fills them with demo
 * data and prints addresses and credentials.
 */
let stop = () => Promise.resolve()
// Registered before the start: the apps are killed when this process exits, also during the start.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(0)))
}

const startedAt = performance.now()
const linesFile = join(localFolder('log'), 'dev.log')
const lines = openStartupLines(linesFile, (line) => console.log(line))
await withInfraLock(async () => {
  for (const line of describeEngines(await bringUp('product'))) console.log(line)
}).catch(endWith)
const addresses = await chooseAddresses().catch(endWith)
const seal = keptSeal(localFolder('seal'))
const [personUrl, portalUrl] = [`http://localhost:${addresses.person}`, `http://localhost:${addresses.portal}`]
const installation = await startInstallation({
  addresses,
  engines: knownEngines(),
  forwarderLogin: localLogin('forwarder'),
  watch: true,
  // Webhook receivers under development run on this machine.
  settings: {
    STRICT_CONTRACT: '1',
    ALLOW_PRIVATE_TARGETS: '1',
    WEBHOOK_CAUSES: 'all',
    APP_ORIGINS: [APP_ORIGIN, personUrl, portalUrl, `http://127.0.0.1:${addresses.frontDoor.port}`].join(','),
    AUTH_WEB_URL: `${personUrl}/consent`,
    WEBAUTHN_RP_ID: 'localhost',
    ...seal.settings,
  },
  onStep: (step) => console.log(`  ${step}`),
  onMail: ({ to, subject, text }) => lines.add(`mail       │ to ${to}: ${subject}\n${indented(text)}`),
  onLine: (app, line) => lines.add(`${app.padEnd(10)} │ ${readable(line).join('\n           │   ')}`),
}).catch(endWith)
const places = {
  frontDoorUrl: installation.frontDoor.url.replace('127.0.0.1', 'localhost'),
  apiOrigins: [installation.eu, installation.us, installation.forwarder].flatMap((one) =>
    one === null ? [] : [one.url],
  ),
  sealRoots: seal.root,
  personAppUrl: personUrl,
}
const person = await serveWebApp({ ...places, config: personConfig(), port: addresses.person })
const portal = await serveWebApp({ ...places, config: portalConfig(), port: addresses.portal })
stop = async () => {
  await person.close()
  await portal.close()
  await installation.stop()
}

const demo = localFolder('demo')
try {
  await seedDemo(installation, demo)
  await seedContract(installation, demo, readFileSync(seal.root, 'utf8'))
} catch (error) {
  // The data of an earlier run may be in the way; everything else works.
  console.error('the demo data could not be made; `npm run reset` deletes the data of earlier runs:', error)
}

console.log(`
Sealpost is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Sources are watched; Ctrl-C ends it.

  person app     ${person.url}
  portal         ${portal.url}
  front door     ${installation.frontDoor.url}
  API reference  ${installation.frontDoor.url}/api/docs
  region eu      ${installation.eu.url}       metrics ${installation.eu.internalUrl}/internal/metrics
  region us      ${installation.us.url}       metrics ${installation.us.internalUrl}/internal/metrics
  forwarder      ${installation.forwarder?.url}       plugins on this machine may use http
  seal of PDFs   ${seal.root} is the certificate that verifiers trust

Demo credentials (public, for this machine only); key file and settings of the first service are in ${demo}:`)
for (const { companyName, region, clientId, clientSecret, email, login } of companies) {
  console.log(`  ${companyName} (${region})
    client_id      ${clientId}
    client_secret  ${clientSecret}
    portal         ${email}  ${login.password}`)
}
for (const { displayName, region, email, password } of demoPersons) {
  console.log(`  ${displayName} (${region})
    person app     ${email}  ${password}`)
}
console.log(`
Try, in a second terminal:
  ./run node examples/first-value/first-value.ts
  SEALPOST_CONFIG=.local/demo/sealpost.json ./run npx sealpost connections list --decrypt

The log of the start is in ${linesFile}; new lines follow here.
`)
lines.follow()

function endWith(error: unknown): never {
  for (const line of lines.last()) console.error(line)
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '           │   ')
}
