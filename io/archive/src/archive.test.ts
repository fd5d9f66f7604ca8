import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { scaled } from '@sealpost/testkit/slowness'
import { describe, expect, test } from 'vitest'
import { ARCHIVE_REFUSALS, type ArchiveEntry, readArchive, writeArchive } from './index.ts'
import { buildZip, descriptorOf, extraOf } from './testing/build-zip.ts'
import { hostileArchives } from './testing/hostile-archives.ts'

const text = (content: string): Uint8Array => Uint8Array.from(Buffer.from(content))
const FLOW: readonly ArchiveEntry[] = [
  { name: 'flow.json', bytes: text('{"name":"Sale"}') },
  { name: 'assets/contract_template.pdf', bytes: text('%PDF-1.7 …') },
  { name: 'assets/größe.png', bytes: text('') },
]

async function namesIn(bytes: Uint8Array): Promise<readonly string[]> {
  const outcome = await readArchive(bytes)
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value.map(({ name }) => name)
}

describe('what is written', () => {
  test('is read again, sorted by name', async () => {
    const sorted = FLOW.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    expect(await readArchive(writeArchive(FLOW))).toEqual({ ok: true, value: sorted })
    expect(await readArchive(writeArchive([]))).toEqual({ ok: true, value: [] })
  })

  test('depends on names and contents only', () => {
    expect(writeArchive(FLOW.toReversed())).toEqual(writeArchive(FLOW))
  })

  test.each(['../a', '/a', 'a//b', 'a\\b', ''])('has no file %j', (name) => {
    expect(() => writeArchive([{ name, bytes: text('x') }])).toThrow('no valid name')
  })

  test('has no name twice', () => {
    expect(() => writeArchive([...FLOW, { name: 'Flow.json', bytes: text('x') }])).toThrow('no valid name')
  })

  test.skipIf(!isInstalled('unzip'))('is an archive for unzip', () => {
    expect(execFileSync('unzip', ['-t', written()], { encoding: 'utf8' })).toContain('No errors detected')
  })

  test.skipIf(!isInstalled('python3'))('is an archive for Python', () => {
    const answer = execFileSync('python3', ['-m', 'zipfile', '-t', written()], { encoding: 'utf8' })
    expect(answer).toContain('Done testing')
  })
})

function written(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'sealpost-archive-')), 'flow.zip')
  writeFileSync(file, writeArchive(FLOW))
  return file
}

function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0
}

describe('archives of other programs are read', () => {
  const content = Buffer.from('content'.repeat(50))
  const packed = deflateRawSync(content)

  test('compressed, with times and owners in extra fields', async () => {
    const extra = Buffer.concat([extraOf(0x5455, Buffer.alloc(9)), extraOf(0x7875, Buffer.alloc(11))])
    const entry = { name: 'flow.json', content, isPacked: true, extra, attributes: 0o100644 * 0x10000 }
    expect(await readArchive(buildZip([entry]))).toEqual({
      ok: true,
      value: [{ name: 'flow.json', bytes: Uint8Array.from(content) }],
    })
  })

  test('with sizes after the data, marked or not', async () => {
    for (const isMarked of [true, false])
      expect(
        await namesIn(
          buildZip([
            {
              name: 'a',
              content,
              isPacked: true,
              flags: 8,
              after: descriptorOf(content, packed.length, isMarked),
              local: { crc: 0, size: 0, packedSize: 0 },
            },
            { name: 'b' },
          ]),
        ),
      ).toEqual(['a', 'b'])
  })

  test('with folders, which are left out, and in any order', async () => {
    const folder = { name: 'assets/', content: '', attributes: 0o040755 * 0x10000 }
    expect(await namesIn(buildZip([folder, { name: 'flow.json' }, { name: 'assets/a.pdf' }]))).toEqual([
      'flow.json',
      'assets/a.pdf',
    ])
  })
})

describe('a hostile archive is refused', () => {
  const archives = hostileArchives()

  test.each(archives)('$name: $refusal', async ({ bytes, refusal }) => {
    const start = performance.now()
    expect(await readArchive(bytes)).toEqual({ ok: false, refusal })
    expect(performance.now() - start).toBeLessThan(scaled(2_000))
  })

  test('every refusal has an archive', () => {
    expect(new Set(archives.map(({ refusal }) => refusal))).toEqual(new Set(Object.keys(ARCHIVE_REFUSALS)))
  })

  test('the limits are those of the caller', async () => {
    const bytes = writeArchive(FLOW)
    const limits = { maxEntries: 3, maxEntryBytes: 15, maxTotalBytes: 30 }
    expect(await readArchive(bytes, limits)).toMatchObject({ ok: true })
    expect(await readArchive(bytes, { ...limits, maxEntries: 2 })).toEqual({ ok: false, refusal: 'too_many_entries' })
    expect(await readArchive(bytes, { ...limits, maxEntryBytes: 14 })).toEqual({ ok: false, refusal: 'too_large' })
    expect(await readArchive(bytes, { ...limits, maxTotalBytes: 20 })).toEqual({ ok: false, refusal: 'too_large' })
  })
})
