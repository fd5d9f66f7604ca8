import { findSeal } from '@sealpost/pdf-format'
import { openFolder, runTool } from './tools.ts'

/** What the programs of others say about a sealed file. */
export interface OutsideVerdict {
  /** `qpdf --check` */
  readonly isClean: boolean
  /** `pdfsig`: the signature, and that it covers all. */
  readonly isSignatureValid: boolean
  readonly isAllSigned: boolean
  /** `openssl cms -verify -cades`, with the given root alone. */
  readonly isCades: boolean
}

export async function askOthers(file: Uint8Array, rootPem: string): Promise<OutsideVerdict> {
  const folder = openFolder()
  const path = folder.write('sealed.pdf', file)
  const [syntax, signature] = [await runTool('qpdf', '--check', path), await runTool('pdfsig', path)]
  const { contentsStart, contentsEnd, end } = findSeal(Uint8Array.from(file)) ?? NO_SEAL
  const covered = Buffer.concat([file.subarray(0, Math.max(0, contentsStart - 1)), file.subarray(contentsEnd + 1, end)])
  const contents = Buffer.from(Buffer.from(file.subarray(contentsStart, contentsEnd)).toString('latin1'), 'hex')
  const files = ['-in', folder.write('seal.p7s', contents), '-content', folder.write('covered.bin', covered)]
  const trust = ['-purpose', 'any', '-CAfile', folder.write('root.pem', Buffer.from(rootPem))]
  const how = ['-inform', 'DER', '-binary', '-cades', '-no_check_time', '-out', '/dev/null']
  const cades = await runTool('openssl', 'cms', '-verify', ...how, ...trust, ...files)
  return {
    isClean: syntax.code === 0 && syntax.output.includes('No syntax or stream encoding errors'),
    isSignatureValid: signature.output.includes('Signature is Valid'),
    isAllSigned: signature.output.includes('Total document signed'),
    isCades: cades.output.includes('CAdES Verification successful'),
  }
}

const NO_SEAL = { contentsStart: 0, contentsEnd: 0, end: 0 }
