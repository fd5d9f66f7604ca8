import { companies, readEngines, startInstallation } from '@sealpost/testkit'

/** `npm run dev`: a front door and two regions with reload, the demo companies in place, everything printed that one needs. */
const addresses = {
  frontDoor: { port: 8080, internalPort: 8081 },
  eu: { port: 8090, internalPort: 8091 },
  us: { port: 8190, internalPort: 8191 },
}

const LEFT_OUT = new Set(['level', 'time', 'service', 'version', 'instance', 'msg'])

let stop = () => Promise.resolve()
// Before the start: an end half-way takes the apps with it, which are killed when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(0)))
}

const startedAt = performance.now()
const installation = await startInstallation({
  addresses,
  engines: readEngines(),
  watch: true,
  settings: { STRICT_CONTRACT: '1' },
  onStep: (step) => console.log(`  ${step}`),
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
for (const { companyName, region, clientId, clientSecret } of companies) {
  console.log(`  ${companyName} (${region})
    client_id      ${clientId}
    client_secret  ${clientSecret}`)
}
console.log(`
Try:
  curl -s ${installation.frontDoor.url}/oauth2/token -d grant_type=client_credentials \\
    -d client_id=${companies[0]?.clientId} -d client_secret=${companies[0]?.clientSecret}
`)

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
