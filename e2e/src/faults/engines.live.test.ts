import { runStatement } from '@sealpost/postgres'
import {
  type Answer,
  askToken,
  bodyOf,
  type Fault,
  GARBAGE,
  keyOf,
  membersOf,
  NO_FAULT,
  openWorld,
  S3_ERROR,
  scaled,
  startFaultProxy,
} from '@sealpost/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pngWith } from '../sharing/pictures.ts'

const FROZEN: Fault = { kind: 'frozen' }
const RESET: Fault = { kind: 'reset' }
const GARBLED: Fault = { kind: 'answering', bytes: GARBAGE }
const IN_TIME = { timeout: scaled(30_000) }
const BUSY = { status: 503, key: 'platform.busy' }

/** Of its own, because the engines of its processes fail. */
const world = await openWorld({ own: true })
const company = await world.company()
const picture = `data:image/png;base64,${Buffer.from(pngWith('x')).toString('base64')}`
const service = await world.service([{ slug: 'face', type: 'photo' }], { company })
const { connectionId } = await world.customer(service, [
  { slug: 'face', file: { file: picture, original_name: 'a.png' } },
])
const { DATABASE_URL: regionUrl = '', S3_ENDPOINT: s3Url = '' } = world.environment.eu
const { DIRECTORY_DATABASE_URL: directoryUrl = '' } = world.environment.frontDoor

/** The engine at this address, through a wire that can be made bad. */
async function throughProxy(target: string) {
  const proxy = await startFaultProxy(target)
  world.onEnd(() => proxy.close())
  return proxy
}

/** Not by `Calls`, which read text. */
async function fetchFile(url: string, token: string): Promise<Pick<Answer, 'status' | 'headers' | 'body'>> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const body = answer.ok ? {} : membersOf(JSON.parse(bytes.toString()))
  return { status: answer.status, headers: answer.headers, body }
}

/** Status and key of a refusal; it must say when to try again. */
function told(answer: Pick<Answer, 'status' | 'headers' | 'body'>) {
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(30)
  return { status: answer.status, key: keyOf(answer) }
}

describe('the database of a region', async () => {
  const proxy = await throughProxy(regionUrl)
  const { url: at } = await world.another('eu', { DATABASE_URL: proxy.url, DATABASE_WAIT_MS: '2000' })
  const url = at ?? ''
  const rename = (name: string) => company.portal('PUT', '/api/profile', { url, body: { display_name: name } })

  test.each([FROZEN, RESET, GARBLED])(
    'that is $kind is 503 platform.busy for reads and writes, and all is well afterwards',
    async (fault) => {
      expect(await rename('before')).toMatchObject({ status: 200 })
      proxy.turn(fault)
      onTestFinished(() => proxy.turn(NO_FAULT))
      const answers = await Promise.all([rename('lost'), company.portal('GET', '/api/profile', { url })])
      expect(answers.map(told)).toEqual([BUSY, BUSY])
      expect(await bodyOf(company.portal('GET', '/api/profile'), 200)).toMatchObject({ display_name: 'before' })
      proxy.turn(NO_FAULT)
      await expect.poll(() => rename('after').then(({ status }) => status), IN_TIME).toBe(200)
    },
    scaled(60_000),
  )

  test('that is slow answers', async () => {
    proxy.turn({ kind: 'slow', delayMs: 50 })
    onTestFinished(() => proxy.turn(NO_FAULT))
    expect(await rename('slow')).toMatchObject({ status: 200 })
  })

  test.each(['53100', '53200'])(
    'that has no room left (%s) is 503 platform.busy, and nothing was written',
    async (code) => {
      const { database } = world.eu.platform
      expect(await rename('before')).toMatchObject({ status: 200 })
      const sql = (text: string) => database.transaction((tx) => runStatement(tx, text, []))
      await sql(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`)
      onTestFinished(() => sql('drop function full_disk cascade').then(() => {}))
      await sql('create trigger full_disk after update on account.account for each row execute function full_disk()')
      const refused = await rename('lost')
      expect([told(refused), refused.headers.get('retry-after')]).toEqual([BUSY, '30'])
      expect(await bodyOf(company.portal('GET', '/api/profile'), 200)).toMatchObject({ display_name: 'before' })
    },
  )
})

describe('the database of the directory', async () => {
  const proxy = await throughProxy(directoryUrl)
  const frontDoor = await world.anotherFrontDoor({ DIRECTORY_DATABASE_URL: proxy.url, DATABASE_WAIT_MS: '2000' })
  const token = () => askToken({ frontDoor }, service.client.clientId, service.client.clientSecret)

  test.each([FROZEN, RESET, GARBLED])(
    'that is $kind is 503 platform.busy at the token endpoint, in the house shape',
    async (fault) => {
      expect(await token()).toMatchObject({ status: 200 })
      proxy.turn(fault)
      onTestFinished(() => proxy.turn(NO_FAULT))
      const refused = await token()
      expect([told(refused), Object.keys(refused.body)]).toEqual([BUSY, ['error', 'error_key']])
      proxy.turn(NO_FAULT)
      await expect.poll(() => token().then(({ status }) => status), IN_TIME).toBe(200)
    },
    scaled(60_000),
  )
})

describe('an S3 server', async () => {
  const proxy = await throughProxy(s3Url)
  const { url: at } = await world.another('eu', { S3_ENDPOINT: proxy.url, S3_WAIT_MS: '2000' })
  const url = at ?? ''
  const photos = async () => (await bodyOf(company.portal('GET', '/api/photos'), 200))['items']
  const upload = () => company.portal('POST', '/api/photos', { url, body: { file: picture } })
  const values = membersOf((await service.read(connectionId))?.['values'])
  const { value_url: path } = membersOf(values['face'])
  const token = await world.token(service.client)
  const download = () => fetchFile(`${url}${String(path)}`, token)

  test.each<[string, Fault]>([
    ['answers 500', { kind: 'answering', bytes: S3_ERROR }],
    ['is frozen', FROZEN],
    ['resets connections', RESET],
    ['answers garbage', GARBLED],
  ])(
    'that %s is 503 platform.busy for uploads and downloads, and no row is left',
    async (_what, fault) => {
      expect(await download()).toMatchObject({ status: 200 })
      const before = await photos()
      proxy.turn(fault)
      onTestFinished(() => proxy.turn(NO_FAULT))
      const answers = await Promise.all([upload(), download()])
      expect(answers.map(told)).toEqual([BUSY, BUSY])
      expect(await photos()).toEqual(before)
      proxy.turn(NO_FAULT)
      await expect.poll(() => upload().then(({ status }) => status), IN_TIME).toBe(201)
    },
    scaled(60_000),
  )
})
