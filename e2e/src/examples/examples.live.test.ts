import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { instant } from '@sealpost/kernel'
import { mara, openWorld, reservePort, ROOT, scaled, testSeal } from '@sealpost/testkit'
import { seedContract, seedFirstConnection } from '@sealpost/testkit/demo'
import { expect, test } from 'vitest'
import { publishedService } from '../guides/published-service.ts'
import { findPython } from './find-python.ts'
import { runExample } from './run-example.ts'

const run = promisify(execFile)
const SOON = { timeout: scaled(30_000), interval: 20 }

// Of its own, because the demo logs the fixed personas in, and receivers compare the time of a signature with theirs.
const world = await openWorld({ own: true })
world.clock.set(instant(Date.now()))
await world.passDays(0)
const folder = mkdtempSync(join(tmpdir(), 'examples-'))
world.onEnd(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })))
const DEMO = join(folder, 'demo')
await seedFirstConnection(world, DEMO)
const { northwind } = await world.personas('northwind')
const { body } = await northwind.portal('GET', `/api/services/${northwind.serviceId}/request-fields`)
const service = publishedService('NRTHWD/INTAKE', body, northwind.service.publicKey)
const ana = await world.person({ displayName: 'Ana Silva' })
const { port } = await reservePort()

interface Copy {
  readonly customers: readonly string[]
  readonly fields: Readonly<Record<string, string>>
  readonly kinds: readonly string[]
}

/** What the CRM contains, read beside its program. */
function readCrm(place: string): Copy {
  const db = new DatabaseSync(join(place, 'crm.db'), { readOnly: true })
  try {
    const rows = (sql: string) => db.prepare(sql).all()
    return {
      customers: rows('select name from customer order by name').map(({ name }) => String(name)),
      fields: Object.fromEntries(
        rows('select name, slug, text from field join customer using (connection_id)').map(({ name, slug, text }) => [
          `${name} ${slug}`,
          String(text),
        ]),
      ),
      kinds: rows('select kind from event order by no').map(({ kind }) => String(kind)),
    }
  } finally {
    db.close()
  }
}

/** A customer who comes and goes, until the program is killed and once more: two events each time, which never collapse. */
async function comeAndGo(isKilled: () => boolean): Promise<readonly string[]> {
  const kinds: string[] = []
  for (let isLast = false; !isLast;) {
    isLast = isKilled()
    const id = await ana.connected(service, [{ slug: 'name', text: 'Ana' }])
    expect((await ana.disconnect(id)).status).toBe(204)
    kinds.push('connection_created', 'connection_deleted')
  }
  return kinds
}

interface SyncCase {
  readonly program: string
  /** The connection of the demo is in the feed; it is older than the webhook. */
  readonly before: readonly string[]
  /** Bring events that the CRM contains already once more. */
  readonly whileDown: (place: string) => void
  readonly afterwards: (place: string, since: string) => Promise<void>
}

/** As if the process had died before it could write that events are done. */
function forgetDone(place: string): void {
  const journal = join(place, 'changes/journal.jsonl')
  const lines = readFileSync(journal, 'utf8').split('\n')
  writeFileSync(journal, lines.filter((line) => !line.startsWith('{"k":"done"')).join('\n'))
}

async function replay(place: string, since: string): Promise<void> {
  const { id } = JSON.parse(readFileSync(join(place, 'webhook.json'), 'utf8')) as { readonly id: string }
  const path = `/api/services/${northwind.serviceId}/webhooks/${id}/replay`
  const answer = await northwind.portal('POST', path, { body: { since } })
  expect(answer.status).toBe(202)
}

const cases: readonly SyncCase[] = [
  {
    program: 'crm-sync-feed/sync.js',
    before: ['connection_created'],
    whileDown: forgetDone,
    afterwards: () => Promise.resolve(),
  },
  { program: 'crm-sync-webhooks/receiver.js', before: [], whileDown: () => {}, afterwards: replay },
]

test.each(cases)(
  '$program copies all customers, and when it is killed in the midst of events it loses none and applies none twice',
  { timeout: scaled(90_000) },
  async ({ program, before, whileDown, afterwards }) => {
    const place = join(folder, program)
    // Later than the events of other tests, which a replay would bring too.
    world.clock.advance(1000)
    const since = world.time()
    const start = () => runExample(program, { DEMO, FOLDER: place, PORT: String(port) })
    const first = start()
    await expect.poll(() => first.printed(), SOON).toContain('copied')
    expect(readCrm(place)).toMatchObject({ customers: ['Mara Lindqvist'], fields: { 'Mara Lindqvist name': 'Mara' } })
    await expect.poll(() => readCrm(place).kinds, SOON).toEqual(before)

    let isKilled = false
    const coming = comeAndGo(() => isKilled)
    await expect.poll(() => readCrm(place).kinds.length, SOON).toBeGreaterThan(before.length)
    await first.end('SIGKILL')
    isKilled = true
    const happened = await coming
    expect(readCrm(place).kinds.length).toBeLessThan(before.length + happened.length)

    whileDown(place)
    const second = start()
    const id = await ana.connected(service, [{ slug: 'name', text: 'Ana' }])
    const expected = [...before, ...happened, 'connection_created']
    await expect.poll(() => readCrm(place).kinds, SOON).toEqual(expected)
    await afterwards(place, since)
    await expect.poll(() => second.printed(), SOON).toContain('came twice')
    expect(readCrm(place)).toMatchObject({
      customers: ['Ana Silva', 'Mara Lindqvist'],
      fields: { 'Ana Silva name': 'Ana', 'Mara Lindqvist name': 'Mara' },
    })

    expect((await ana.disconnect(id)).status).toBe(204)
    await expect.poll(() => readCrm(place).customers, SOON).toEqual(['Mara Lindqvist'])
    await second.end('SIGTERM')
    expect(readCrm(place).kinds).toEqual([...expected, 'connection_deleted'])
  },
)

test('the backend of contract-flow, less than 40 lines, ends with a sealed PDF when the person has answered and signed', async () => {
  const { length } = readFileSync(join(ROOT, 'examples/contract-flow/hire.js'), 'utf8').trim().split('\n')
  expect(length).toBeLessThan(40)
  await seedContract(world, DEMO, testSeal().root)
  const hire = runExample('contract-flow/hire.js', { DEMO })
  await expect.poll(() => hire.printed(), SOON).toContain('Mara Lindqvist is asked')
  const person = runExample('contract-flow/mara.js', { DEMO })
  await expect.poll(() => person.printed(), SOON).toContain('The code of the mail')
  person.child.stdin?.write(`${await world.mail.waitForCode(mara.email)}\n`)
  await expect.poll(() => hire.printed(), SOON).toContain(`completed and sealed ${DEMO}/contract.pdf`)
  expect(readFileSync(join(DEMO, 'contract.pdf'), 'latin1')).toMatch(/^%PDF-/)
})

async function python(program: string, variables: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const options = { cwd: folder, env: { PYTHONDONTWRITEBYTECODE: '1', DEMO, ...variables } }
  const { stdout } = await run(findPython(), [join(ROOT, 'examples/python', program)], options)
  return stdout.trim().split('\n')
}

test('the guide to other languages prints the program that runs here', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/other-languages.md'), 'utf8')
  const [, printed = ''] = /^```py values\n(.+?)^```$/ms.exec(guide) ?? []
  expect(printed).toBe(readFileSync(join(ROOT, 'examples/python/values.py'), 'utf8'))
})

test('the Python program opens the values of all connections and drains the feed', async () => {
  const id = await ana.connected(service, [{ slug: 'name', text: 'Zoë' }])
  const printed = await python('values.py')
  expect(printed).toEqual(expect.arrayContaining(['Ana Silva name Zoë', 'Mara Lindqvist name Mara']))
  expect(printed.at(-1)).toMatch(/^connection_created/)
  expect((await ana.disconnect(id)).status).toBe(204)
  expect((await python('values.py')).at(-1)).toMatch(/^connection_deleted/)
})

const generator = process.env['SEALPOST_OPENAPI_PYTHON']
test.runIf(generator !== undefined)(
  'a generated Python client lists connections and drains the feed',
  async () => {
    const target = join(folder, 'sealpost_client')
    const words = [
      'generate',
      '--path',
      join(ROOT, 'docs/api/company-data.json'),
      '--output-path',
      target,
      '--meta',
      'none',
    ]
    await run(generator ?? '', ['-m', 'openapi_python_client', ...words], { timeout: scaled(120_000) })
    const id = await ana.connected(service, [{ slug: 'name', text: 'Zoë' }])
    const env = { DEMO, PYTHONPATH: folder }
    const { stdout } = await run(generator ?? '', [join(ROOT, 'examples/python/generated.py')], { env })
    expect(stdout).toContain('Ana Silva name')
    expect(stdout).toContain('connection_created')
    expect((await ana.disconnect(id)).status).toBe(204)
  },
  scaled(180_000),
)
