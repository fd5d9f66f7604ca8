import { APP_ORIGIN, companies, persons, startInstallation } from '@sealpost/testkit'
import { seedDemo } from '@sealpost/testkit/demo'
import { localLogin } from '../infra/bus-folder.ts'
import { knownEngines } from '../infra/known-engines.ts'
import { localFolder } from '../infra/local-folder.ts'
import { devAddresses, devSites } from './addresses.ts'
import { keptSeal } from './kept-seal.ts'
import { servePersonApp } from './person-app.ts'
import { readable } from './readable.ts'

/** `npm run dev`: a front door, two regions and a forwarder with reload and demo companies; prints addresses and credentials. */
let stop = () => Promise.resolve()
// Registered before the start: the apps are killed when this process exits, also during the start.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(0)))
}

const seal = keptSeal(localFolder('seal'))
const personUrl = `http://localhost:${devSites.person}`
const startedAt = performance.now()
const installation = await startInstallation({
  addresses: devAddresses,
  engines: knownEngines(),
  forwarderLogin: localLogin('forwarder'),
  watch: true,
  // Webhook receivers under development run on this machine.
  settings: {
    STRICT_CONTRACT: '1',
    ALLOW_PRIVATE_TARGETS: '1',
    WEBHOOK_CAUSES: 'all',
    APP_ORIGINS: [APP_ORIGIN, personUrl, `http://127.0.0.1:${devAddresses.frontDoor.port}`].join(','),
    AUTH_WEB_URL: `${personUrl}/consent`,
    WEBAUTHN_RP_ID: 'localhost',
    ...seal.settings,
  },
  onStep: (step) => console.log(`  ${step}`),
  onMail: ({ to, subject, text }) => console.log(`mail       │ to ${to}: ${subject}\n${indented(text)}`),
  onLine: (app, line) => console.log(`${app.padEnd(10)} │ ${readable(line).join('\n           │   ')}`),
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
const person = await servePersonApp({
  port: devSites.person,
  frontDoorUrl: installation.frontDoor.url.replace('127.0.0.1', 'localhost'),
  apiOrigins: [installation.eu.url, installation.us.url],
})
stop = async () => {
  await person.close()
  await installation.stop()
}

const demo = localFolder('demo')
await seedDemo(installation, demo).catch((error: unknown) => {
  // The data of an earlier run may be in the way; everything else works.
  console.error('the demo connection could not be made; `npm run reset` deletes the data of earlier runs:', error)
})

console.log(`
Sealpost is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Sources are watched; Ctrl-C ends it.

  person app     ${person.url}
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
for (const { displayName, region, email, login } of persons) {
  console.log(`  ${displayName} (${region})
    person app     ${email}  ${login.password}`)
}
console.log(`
Try:
  curl -s ${installation.frontDoor.url}/oauth2/token -d grant_type=client_credentials \\
    -d client_id=${companies[0]?.clientId} -d client_secret=${companies[0]?.clientSecret}
`)

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '           │   ')
}
