/* oxlint-disable no-console, node/no-process-env -- a program for the terminal, which passes its settings on */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `node io/pdf/src/testing/corpus/make-corpus.ts` makes the files of the corpus again, with those of the producers that
 * are installed here. The files are committed: CI needs no producer.
 */
const files = join(import.meta.dirname, 'files')
const work = mkdtempSync(join(tmpdir(), 'sealpost-corpus-'))
const page = join(work, 'page.html')
const source = join(work, 'page.tex')
const drawing = join(work, 'page.ps')
const picture = join(work, 'page.ppm')
const roff = join(work, 'page.roff')

mkdirSync(files, { recursive: true })
writeFileSync(
  page,
  '<title>Agreement</title><h1>Agreement</h1><p>Zoë Łódź, Привет, Ωμέγα</p><a href="https://example.com">link</a>',
)
writeFileSync(
  source,
  '\\documentclass{article}\\begin{document}\\section{Agreement}Text $x^2$.\\newpage Second page\\end{document}',
)
writeFileSync(drawing, '%!PS\n/Helvetica findfont 20 scalefont setfont 72 700 moveto (Agreement) show showpage\n')
writeFileSync(
  picture,
  `P3\n8 8\n255\n${Array.from({ length: 64 }, (_, at) => `${at * 4} 0 ${255 - at * 4}`).join('\n')}\n`,
)
writeFileSync(roff, '.sp 2\n.ps 20\nAgreement\n.bp\nSecond page\n')

const made = (name: string): string => join(files, `${name}.pdf`)

make('chromium', 'chromium', '--headless', '--no-sandbox', '--disable-gpu', `--print-to-pdf=${made('chromium')}`, page)
make('ghostscript', 'ps2pdf', drawing, made('ghostscript'))
make('cairo', 'pdftocairo', '-pdf', made('ghostscript'), made('cairo'))
make('poppler', 'pdfunite', made('ghostscript'), made('cairo'), made('poppler'))
make('latex', 'pdflatex', '-interaction=batchmode', `-output-directory=${work}`, source)
copy('latex', join(work, 'page.pdf'))
make(
  'libreoffice',
  'soffice',
  '--headless',
  '--convert-to',
  'pdf:writer_web_pdf_Export',
  '--outdir',
  join(work, 'office'),
  page,
)
copy('libreoffice', join(work, 'office', 'page.pdf'))
make('groff', 'sh', '-c', `groff -Tpdf ${roff} > ${made('groff')}`)
make('img2pdf', 'img2pdf', picture, '-o', made('img2pdf'))
// The same pages in other forms: objects in streams, linearized, and an older version.
make('qpdf-object-streams', 'qpdf', '--object-streams=generate', made('chromium'), made('qpdf-object-streams'))
make('qpdf-linearized', 'qpdf', '--linearize', made('ghostscript'), made('qpdf-linearized'))
make('qpdf-plain', 'qpdf', '--object-streams=disable', '--stream-data=uncompress', made('cairo'), made('qpdf-plain'))

function make(name: string, program: string, ...args: readonly string[]): void {
  try {
    execFileSync(program, args, {
      stdio: 'ignore',
      cwd: work,
      env: { ...process.env, HOME: work, SOURCE_DATE_EPOCH: '1777627800' },
    })
    console.log(`${name}: made`)
  } catch (error) {
    console.log(`${name}: not made (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`)
  }
}

function copy(name: string, from: string): void {
  if (existsSync(from)) execFileSync('cp', [from, made(name)])
}
