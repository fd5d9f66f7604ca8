import {
  type SealedAct,
  type SealFacts,
  type SealParty,
  type SealRevocation,
  type SealVerdict,
  verifySealedPdf,
} from '@sealpost/sdk'
import type { Command, Context } from '../command.ts'
import { readBytes, readText } from '../files.ts'
import { columns } from '../help.ts'
import { CliError } from '../terminal.ts'

export const verifyCommand: Command = {
  words: ['verify'],
  summary: 'Check the seal of a signed PDF',
  json: 'document',
  about: [
    'Exit code 0: sealed by a party that you trust, unchanged to the last byte, and the signed bytes are inside.',
    'Calls nothing: neither the platform nor the authorities of the certificates.',
  ].join('\n'),
  positionals: ['FILE'],
  options: {
    trust: {
      type: 'string',
      value: 'PEM',
      isRepeatable: true,
      about: 'Certificates of the seal or of its authority; without them no seal is valid',
    },
    'trust-time': {
      type: 'string',
      value: 'PEM',
      isRepeatable: true,
      about: 'Certificates of time-stamps; those of --trust by default',
    },
  },
  async run(context, { positionals: [path = ''], texts }) {
    const { terminal } = context
    const certificatesOf = (option: string): readonly string[] =>
      texts(option).map((name) => readText(terminal, name, 'a trusted certificate'))
    const times = certificatesOf('trust-time')
    const trust = {
      certificates: certificatesOf('trust'),
      ...(times.length === 0 ? {} : { timestampCertificates: times }),
    }
    const verdict = await verifySealedPdf(readBytes(terminal, path, 'the PDF'), trust)
    show(context, verdict)
    if (!verdict.isValid) throw new CliError(`not valid: ${verdict.problems.map(({ sentence }) => sentence).join(' ')}`)
  },
}

function show({ terminal, isJson }: Context, verdict: SealVerdict): void {
  if (isJson) return terminal.print(JSON.stringify(documentOf(verdict)))
  terminal.print(verdict.isValid ? 'valid' : 'NOT VALID')
  if (verdict.seal === null) return
  const warnings = verdict.warnings.map(({ sentence }) => ['warning', sentence] as const)
  for (const line of columns([...rowsOf(verdict.seal), ...warnings])) terminal.print(line)
}

/** With times as the wire has them. */
function documentOf({ isValid, problems, warnings, seal }: SealVerdict): unknown {
  return {
    isValid,
    problems: problems.map(({ problem }) => problem),
    warnings: warnings.map(({ warning }) => warning),
    seal: seal === null ? null : timesOf(seal),
  }
}

function timesOf(seal: SealFacts): unknown {
  const revocation = seal.revocation.map((list) => ({
    ...list,
    thisUpdate: timeOf(list.thisUpdate),
    nextUpdate: timeOf(list.nextUpdate),
  }))
  return { ...seal, sealedAt: timeOf(seal.sealedAt), timestamp: stampOf(seal), revocation }
}

function stampOf({ timestamp }: SealFacts): unknown {
  return timestamp === null ? null : { ...timestamp, at: timeOf(timestamp.at) }
}

function rowsOf(seal: SealFacts): readonly (readonly [string, string])[] {
  const { timestamp, document } = seal
  const added = seal.bytesAfterSeal > 0 ? `no: ${seal.bytesAfterSeal} bytes were added` : 'no'
  const authority = timestamp === null ? 'none' : `${partyOf(timestamp.authority)}${trusted(timestamp.isTrusted)}`
  return [
    ['intact', seal.isIntact ? 'yes' : 'no'],
    ['covers the whole file', seal.coversWholeFile ? 'yes' : added],
    ['sealed by', `${partyOf(seal.sealedBy)}${trusted(seal.isTrusted)}`],
    ['sealed at', timeOf(seal.sealedAt) ?? 'unknown'],
    ['time-stamp', timestamp === null ? authority : `${timeOf(timestamp.at) ?? ''} by ${authority}`],
    ...revocationOf(seal),
    ['document', document === null ? 'unknown' : `${document.name} (${document.id})`],
    ...seal.acts.map((act) => [act.action, actOf(act)] as const),
    ['SHA-256 of the signed bytes', seal.signedSha256],
  ]
}

function revocationOf({ revocation }: SealFacts): readonly (readonly [string, string])[] {
  if (revocation.length === 0) return [['revocation', 'the file carries no revocation data']]
  return revocation.map((list) => ['revocation', listOf(list)])
}

function listOf({ status, certificate, thisUpdate, nextUpdate, isSignedByIssuer, isCurrent }: SealRevocation): string {
  const span = `list of ${timeOf(thisUpdate) ?? ''}, next due ${timeOf(nextUpdate) ?? 'at an unknown time'}`
  const doubts = [isSignedByIssuer ? '' : ', not signed by the issuer', isCurrent ? '' : ', out of date when sealed']
  return `${status}: ${certificate.name ?? certificate.fingerprint} (${span}${doubts.join('')})`
}

function actOf({ signerFirstName, signerLastName, isNameVerified, method, at }: SealedAct): string {
  const name = [signerFirstName, signerLastName].filter((part) => part !== null).join(' ')
  const parts = [`${isNameVerified ? 'verified' : 'unverified'} name ${name}`, method, at]
  return parts.filter((part) => part !== null).join(', ')
}

function partyOf({ name, organization, fingerprint }: SealParty): string {
  const names = [name, organization].filter((part) => part !== null)
  return `${names.join(', ')} (certificate ${fingerprint})`
}

function trusted(isTrusted: boolean): string {
  return isTrusted ? '' : ', not trusted'
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
