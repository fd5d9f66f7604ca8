import { companies, persons, readEngines, startInstallation } from '@sealpost/testkit'
import { devAddresses } from './addresses.ts'

/** `npm run dev`: a front door and two regions with reload, the demo companies in place, everything printed that one needs. */
const LEFT_OUT = new Set(['level', 'time', 'service', 'version', 'instance', 'msg'])

let stop = () => Promise.resolve()
// Before the start: an end half-way takes the apps with it, which are killed when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(0)))
}

const startedAt = performance.now()
const installation = await startInstallation({
  addresses: devAddresses,
  engines: readEngines(),
  watch: true,
  settings: { STRICT_CONTRACT: '1' },
  onStep: (step) => console.log(`  ${step}`),
  onMail: ({ to, subject, text }) => console.log(`mail       │ to ${to}: ${subject}\n${indented(text)}`),
  onLine: (app, line) => console.log(`${app.padEnd(10)} │ ${readable(line)}`),
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
stop = () => installation.stop()

console.log(`
Sealpost is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Sources are watched; Ctrl-C ends it.

  front door     ${installation.frontDoor.url}
  API reference  ${installation.frontDoor.url}/api/docs
  region eu      ${installation.eu.url}       metrics ${installation.eu.internalUrl}/internal/metrics
  region us      ${installation.us.url}       metrics ${installation.us.internalUrl}/internal/metrics

Demo credentials (public, for this machine only):`)
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

/** A log line is JSON; a person reads its message and the few members that matter. */
function readable(line: string): string {
  const entry = parseEntry(line)
  if (entry === null) return line
  const members = Object.entries(entry).filter(([key]) => !LEFT_OUT.has(key))
  const extra = members.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const level = entry['level'] === 'info' ? [] : [String(entry['level']).toUpperCase()]
  return [...level, String(entry['msg']), ...extra].join(' ')
}

function parseEntry(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null && 'msg' in entry ? { ...entry } : null
  } catch {
    return null
  }
}
