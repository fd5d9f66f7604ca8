import { beforeAll, expect, test } from 'vitest'
import { refusal } from '../../test/stub-platform.ts'
import {
  COMPANY,
  CONNECTION,
  definition,
  emptyAnswer,
  FLOW,
  newUser,
  PERSON,
  postedTo,
  RUN,
  runRoutes,
  runWith,
  type RunUser,
  SERVICE,
} from '../../test/stub-run.ts'
import type { Reply } from '../../test/stub-server.ts'
import { fileReply, newServiceKey, startStubService } from '../../test/stub-service.ts'
import type { ServiceKey } from '../index.ts'
import { readConnection } from '../routes.generated.ts'

let service: { readonly key: ServiceKey; readonly seal: (text: string) => Promise<string> }
let person: RunUser

beforeAll(async () => {
  ;[service, person] = [await newServiceKey(), await newUser()]
})

const letter = (version: number) => ({
  version,
  definition: definition({
    parties: definition({}).parties.slice(0, 2),
    nodes: [
      {
        key: 'first',
        party: 'customer',
        title: '',
        elements: [{ kind: 'text', body: version === 1 ? '{{customer.name}}' : '{{customer.name}} {{customer.code}}' }],
        outputs: [
          {
            output_key: 'deed',
            name: 'Deed',
            rules: [
              { source_connection: { party: 'customer', request_slug: 'deed' }, condition: null, languages: 'all' },
            ],
          },
        ],
      },
    ],
  }),
  request_field_types: { name: 'text', code: 'text', deed: 'pdf_document' },
})

/** Starts a run of the letter; `versions` are those that the platform has, one per read. */
async function startLetter(
  versions: readonly number[],
  starts: readonly Reply[],
  { idempotencyKey, values }: { readonly idempotencyKey?: string; readonly values?: object } = {},
) {
  const deed = await service.seal(
    JSON.stringify({ file: 'data:application/pdf;base64,JVBERi0xLjQK', original_name: 'deed.pdf' }),
  )
  const file = fileReply(JSON.stringify({ encrypted: true, value: deed }), 'application/json')
  const url = `/api/company-data/connections/${CONNECTION}/slots/deed/file`
  const connection = {
    ...emptyAnswer(readConnection),
    id: CONNECTION,
    user_id: PERSON,
    customer_type: 'person',
    values: values ?? {
      name: { value: await service.seal('Mara'), live: true },
      code: { value: await service.seal('1234'), live: true },
      deed: { value_url: url, content_sha256: file.headers?.['x-platform-content-sha256'], live: true },
    },
    values_private: { name: false, code: true },
    fields: [
      { slug: 'name', type: 'text' },
      { slug: 'code', type: 'text' },
    ],
  }
  let [reads, begun] = [0, 0]
  const routes = runRoutes(
    { [PERSON]: person.publicKey },
    () => ({}),
    ({ path }) => {
      if (path.endsWith('/published')) return { status: 200, json: letter(versions[reads++] ?? 1) }
      if (path.endsWith('/whoami')) return { status: 200, json: { company_user_id: COMPANY, service_id: SERVICE } }
      if (path === url) return file
      if (path.includes('/connections/')) return { status: 200, json: connection }
      return path.endsWith('/runs') ? (starts[begun++] ?? { status: 500 }) : null
    },
  )
  const stub = await startStubService(routes)
  const options = idempotencyKey === undefined ? {} : { idempotencyKey }
  const run = await stub.client.flows
    .start(FLOW, { target: { connection_id: CONNECTION } }, service.key, options)
    .catch((error: unknown) => error)
  await stub[Symbol.asyncDispose]()
  const posts = stub.region.received.filter(({ path }) => path.endsWith('/runs'))
  return { run, bodies: postedTo<StartBody>(stub.region.received, '/runs'), received: stub.region.received, posts }
}

interface TagEntry {
  readonly public: string
  readonly public_tags: readonly string[]
  readonly private: Readonly<Record<string, string>>
}

interface StartBody {
  readonly flow_version: number
  readonly tag_values: Readonly<Record<string, TagEntry>>
  readonly source_files: readonly { readonly source_key: string; readonly for_user_id: string; readonly file: string }[]
}

const started = (): Reply => ({ status: 201, json: runWith(letter(1).definition) })
const changed = refusal(409, 'flows.version_changed')

test('a start seals the values and files that the flow names, private ones for their owner and the company only', async () => {
  const { bodies, received } = await startLetter([2], [started()])
  const [body] = bodies
  const entry = (name: string): TagEntry => body?.tag_values[name] ?? { public: '', public_tags: [], private: {} }
  expect(Object.keys(body?.tag_values ?? {}).toSorted()).toEqual([PERSON, 'company'].toSorted())
  expect(JSON.parse(await service.key.open(entry('company').public))).toEqual({
    'customer.name': { v: 'Mara', t: 'text' },
  })
  expect(entry(PERSON).public_tags).toEqual(['customer.name'])
  expect(await person.key.open(entry(PERSON).private['customer.code'] ?? '')).toBe('{"v":"1234","t":"text"}')
  expect(await service.key.open(entry('company').private['customer.code'] ?? '')).toBe('{"v":"1234","t":"text"}')
  expect(body?.source_files.map(({ source_key: key, for_user_id: user }) => [key, user])).toEqual([
    ['conn:customer:deed', COMPANY],
    ['conn:customer:deed', PERSON],
  ])
  const staged = postedTo<{ source_user_id: string; value: string }>(received, '/run-files')
  expect(staged.map(({ source_user_id: from }) => from)).toEqual([PERSON, PERSON])
  expect(await person.key.open(staged[1]?.value ?? '')).toContain('deed.pdf')
})

test('a value that is absent or does not open is left out of the tag values [TEXT-09]', async () => {
  const other = await newServiceKey()
  const code = { value: await other.seal('1234'), live: true }
  const { bodies } = await startLetter([2], [started()], { values: { code } })
  const [body] = bodies
  for (const [name, key] of [
    ['company', service.key],
    [PERSON, person.key],
  ] as const) {
    const entry = body?.tag_values[name]
    expect(entry).toMatchObject({ public_tags: [] })
    expect(entry?.private).toEqual({})
    expect(await key.open(entry?.public ?? '')).toBe('{}')
  }
})

test('a start that meets a newer version reads it, prepares everything again and repeats once [SDK-20]', async () => {
  const { run, bodies, received, posts } = await startLetter([1, 2], [changed, started()], {
    idempotencyKey: 'start-1',
  })
  expect(run).toMatchObject({ id: RUN })
  expect(bodies.map(({ flow_version: version }) => version)).toEqual([1, 2])
  expect(Object.keys(bodies[0]?.tag_values['company']?.private ?? {})).toEqual([])
  expect(Object.keys(bodies[1]?.tag_values['company']?.private ?? {})).toEqual(['customer.code'])
  expect(postedTo(received, '/run-files')).toHaveLength(4)
  expect(bodies[1]?.source_files[0]?.file).not.toBe(bodies[0]?.source_files[0]?.file)
  expect(posts.map(({ headers }) => headers['idempotency-key'])).toEqual(['start-1', 'start-1.again'])
  const twice = await startLetter([1, 2, 3], [changed, changed, started()])
  expect(twice.run).toMatchObject({ key: 'flows.version_changed' })
  expect(twice.bodies).toHaveLength(2)
})
