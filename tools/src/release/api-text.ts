import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, commands, commonOptions, type Option, settings } from '@sealpost/cli'
import type { PackedPackage } from './packages.ts'

/** Generated from the protocol and committed as such: names are enough here. */
const GENERATED = /\.generated\.d\.ts$/

/** The public API of a package, as a text that is committed and read in reviews. */
export function apiText(packed: PackedPackage): string {
  const parts = packed.published.commands === undefined ? apiOfModules(packed) : apiOfCommands(packed)
  return `${[`# ${packed.name}`, ...parts].join('\n\n')}\n`
}

/** Which names each entry point exports, and all declarations that they reach, without comments. */
function apiOfModules({ name, published, folder }: PackedPackage): readonly string[] {
  const types = join(folder, 'types')
  const entries = Object.entries(published.entries).map(([entry, file]) => {
    const path = entry === 'index' ? name : `${name}/${entry}`
    return `## ${path} is ${file}.d.ts`
  })
  const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
  const declared = files.toSorted().map((file) => {
    const text = readFileSync(join(types, file), 'utf8')
    return `## ${file}\n\n${(GENERATED.test(file) ? namesIn(text) : statementsIn(text)).join('\n')}`
  })
  return [entries.join('\n'), ...declared]
}

/** What the manifest offers, then the words, options and settings of the command; sentences of the help may change. */
function apiOfCommands({ folder }: PackedPackage): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const offered = ['bin', 'exports'].map((member) => `## ${member}\n\n${namesOf(manifest, member).join('\n')}`)
  return [
    ...offered,
    `## Settings\n\n${Object.entries(settings)
      .map(([name, { variable }]) => `${name} ${variable}`)
      .join('\n')}`,
    `## Options of every command\n\n${optionsIn(commonOptions).join('\n')}`,
    `## Commands\n\n${commands.map(signatureOf).join('\n')}`,
  ]
}

function namesOf(manifest: unknown, member: string): readonly string[] {
  const members: Readonly<Record<string, unknown>> = typeof manifest === 'object' ? { ...manifest } : {}
  const named = members[member]
  return typeof named === 'object' && named !== null ? Object.keys(named) : []
}

function signatureOf({ words, positionals, options, json }: Command): string {
  return [...words, ...positionals, ...optionsIn(options), `--json: ${json}`].join(' ')
}

function optionsIn(options: Readonly<Record<string, Option>>): readonly string[] {
  return Object.entries(options).map(([name, { value, isRepeatable }]) => {
    return `[--${name}${value === undefined ? '' : ` ${value}`}]${isRepeatable === true ? '…' : ''}`
  })
}

function statementsIn(text: string): readonly string[] {
  const withoutComments = text.replaceAll(/^\s*\/\*\*?[\s\S]*?\*\/\n?/gm, '').replaceAll(/^\s*\/\/.*\n?/gm, '')
  return withoutComments
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('import ') && line !== 'export {};')
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^export (?:declare )?(?:interface|type|const|function|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
}
