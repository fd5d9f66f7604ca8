import { createPrivateKey, DefinitionError, type KeyRollover, rollOverKey } from '@sealpost/plugin-kit'
import type { Command } from '../command.ts'
import { readJson, readText, refuseExisting, reportWritten, writeSecret } from '../files.ts'
import { CliError, type Terminal, UsageError } from '../terminal.ts'
import { missingOption } from './options.ts'

export const keyCommand: Command = {
  words: ['plugin', 'key'],
  summary: 'Make the private key of a plugin, or the one that takes its place',
  json: 'document',
  about:
    'Writes an RSA key of 2048 bits as PEM, readable for its owner only. The plugin opens questions with it.\n' +
    'Clients remember the key of a plugin and take another one only if the key that they know vouches for it: with --previous\n' +
    'the former key does, and --rollovers-out gets the list for `keyRollovers` of the plugin kit, and for the manifest.',
  positionals: [],
  options: {
    out: { type: 'string', value: 'FILE', about: 'Where the key goes; an existing file is not replaced' },
    previous: {
      type: 'string',
      value: 'FILE',
      about: 'The key that the plugin has now, which vouches for the new one',
    },
    'rollovers-out': { type: 'string', value: 'FILE', about: 'Where the list goes; with --previous' },
    rollovers: { type: 'string', value: 'FILE', about: 'The list that the plugin has now, if it has one' },
  },
  async run(context, { text }) {
    const { terminal } = context
    const file = text('out') ?? missingOption('out')
    const [previous, listFile, earlier] = [text('previous'), text('rollovers-out'), text('rollovers')]
    if (previous === null && (listFile !== null || earlier !== null))
      throw new UsageError('--rollovers and --rollovers-out go with --previous')
    const listOut = previous === null ? null : (listFile ?? missingOption('rollovers-out'))
    for (const out of [file, listOut]) if (out !== null) refuseExisting(terminal, out)
    const key = await createPrivateKey()
    const rollovers = previous === null ? null : await vouch(terminal, previous, key, earlier)
    writeSecret(terminal, file, key)
    if (listOut === null || rollovers === null) reportWritten(context, file)
    else {
      writeSecret(terminal, listOut, `${JSON.stringify(rollovers, null, 2)}\n`)
      reportWritten(context, file, { rollovers: listOut, entries: rollovers.length }, ` and ${listOut}`)
    }
    terminal.log('note: this private key opens what persons pick, so keep it like a password')
  },
}

async function vouch(
  terminal: Terminal,
  previousFile: string,
  next: string,
  earlierFile: string | null,
): Promise<readonly KeyRollover[]> {
  const previous = readText(terminal, previousFile, 'the former key')
  const earlier = earlierFile === null ? [] : readRollovers(terminal, earlierFile)
  try {
    return await rollOverKey({ previous, next, earlier })
  } catch (error) {
    if (error instanceof DefinitionError) throw new CliError(`the former key cannot vouch: ${error.message}`)
    throw error
  }
}

function readRollovers(terminal: Terminal, file: string): readonly KeyRollover[] {
  const list = readJson(terminal, file, 'a list of rollovers')
  if (Array.isArray(list) && list.every(isRollover)) return list
  throw new CliError(`${file} is no list of rollovers; \`sealpost plugin key\` writes one`)
}

function isRollover(entry: unknown): entry is KeyRollover {
  if (typeof entry !== 'object' || entry === null) return false
  const none = { previous_sha256: null, public_key: null, signature: null }
  const { previous_sha256, public_key, signature } = { ...none, ...entry }
  return [previous_sha256, public_key, signature].every((member: unknown) => typeof member === 'string')
}
