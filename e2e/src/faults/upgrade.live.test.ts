import { runStatement } from '@sealpost/postgres'
import { regionMigrations } from '@sealpost/region'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

/** Of its own, because its databases are made to look like those of other releases. */
const world = await openWorld({ own: true })
const directory = world.frontDoor.platform.database
const region = world.eu.platform.database

type Place = typeof region

const forget = (database: Place, name: string) =>
  database.transaction((tx) => runStatement(tx, 'delete from public.migration where name = $1', [name]))
const remember = (database: Place, name: string) =>
  database.transaction((tx) => runStatement(tx, 'insert into public.migration (name) values ($1)', [name]))

async function readiness(internalUrl: string) {
  const answer = await fetch(`${internalUrl}/internal/ready`)
  return { status: answer.status, text: await answer.text() }
}

test('a region neither starts nor reports ready on a database without a step of its release', async () => {
  const name = Object.keys(regionMigrations).toSorted().at(-1) ?? ''
  expect(await readiness(world.eu.internalUrl)).toMatchObject({ status: 200 })
  await forget(region, name)
  const sentence = `lacks the step ${name} of this release; run \`node apps/region/src/commands/migrate.ts\` first`
  await expect(world.another('eu')).rejects.toThrow(sentence)
  const refused = await readiness(world.eu.internalUrl)
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    503,
    {
      checks: [
        { name: 'database', ok: true },
        { name: 'schema', ok: false, reason: expect.stringContaining(sentence) },
      ],
    },
  ])
  await remember(region, name)
  expect(await readiness(world.eu.internalUrl)).toMatchObject({ status: 200 })
})

test('a front door neither starts nor reports ready on a directory without a step of its release', async () => {
  const [{ name }] = (await world.rows<{ name: string }>(
    'select max(name) as name from public.migration',
    [],
    'directory',
  )) as [{ name: string }]
  await forget(directory, name)
  await expect(world.anotherFrontDoor()).rejects.toThrow(`lacks the step ${name} of this release`)
  expect((await readiness(world.frontDoor.internalUrl)).status).toBe(503)
  await remember(directory, name)
  expect((await readiness(world.frontDoor.internalUrl)).status).toBe(200)
})

test('an older release starts and is ready on the database of a newer one, whose steps only add', async () => {
  await remember(region, '9999_of_the_next_release')
  await remember(directory, '9999_of_the_next_release')
  const older = [await world.another('eu'), await world.anotherFrontDoor()]
  for (const { internalUrl } of older) expect((await readiness(internalUrl)).status).toBe(200)
})
