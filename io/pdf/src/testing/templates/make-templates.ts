/* oxlint-disable no-console, node/no-process-env -- a program for the terminal, which passes its settings on */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CONTRACT,
  DRAWING,
  LATEX,
  LATEX_WITH_BITMAPS,
  OFFICE,
  PAGE,
  PDF_LIB,
  PDFKIT,
  scriptsPage,
} from './sources.ts'

/**
 * `node io/pdf/src/testing/templates/make-templates.ts` makes the templates again, with those of the producers that are
 * installed here; names as arguments make only those. They are committed: CI needs no producer, and office suites take
 * minutes to install.
 */
const wanted = process.argv.slice(2)
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
const files = join(import.meta.dirname, 'files')
const work = mkdtempSync(join(tmpdir(), 'sealpost-templates-'))
mkdirSync(files, { recursive: true })

const source = (name: string, text: string): string => {
  writeFileSync(join(work, name), text)
  return join(work, name)
}
const made = (name: string): string => join(files, `${name}.pdf`)

const page = source('page.html', PAGE)
const office = source('office.fodt', OFFICE)
const drawing = source('drawing.ps', DRAWING)

const FAMILIES = ['noto-sans', 'noto-sans-devanagari', 'noto-sans-hebrew', 'vazirmatn', 'noto-sans-sc']
const require = createRequire(import.meta.url)
const styleSheets = FAMILIES.map((family) =>
  pathToFileURL(require.resolve(`@fontsource-variable/${family}/index.css`)).toString(),
)

makeByBrowser('chromium', page)
makeByBrowser('chromium-scripts', source('scripts.html', scriptsPage(styleSheets)))
makeByBrowser('chromium-contract', source('contract.html', CONTRACT))
makeOffice('libreoffice', 'pdf:writer_pdf_Export')
makeOffice('libreoffice-pdfa', 'pdf:writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"}}')
make('ghostscript', 'ps2pdf', [drawing, made('ghostscript')])
make('cairo', 'pdftocairo', ['-pdf', made('chromium'), made('cairo')])
make('cairo-scripts', 'pdftocairo', ['-pdf', made('chromium-scripts'), made('cairo-scripts')])
makeLatex('latex', LATEX)
makeLatex('latex-bitmaps', LATEX_WITH_BITMAPS)
make('qpdf-object-streams', 'qpdf', ['--object-streams=generate', made('ghostscript'), made('qpdf-object-streams')])
make('qpdf-linearized', 'qpdf', ['--linearize', made('libreoffice'), made('qpdf-linearized')])
makeWithPackages()

/** Chromium waits for the fonts of the page before it prints. */
function makeByBrowser(name: string, file: string): void {
  make(name, 'chromium', [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--allow-file-access-from-files',
    '--no-pdf-header-footer',
    `--print-to-pdf=${made(name)}`,
    file,
  ])
}

function makeOffice(name: string, filter: string): void {
  const folder = join(work, name)
  make(name, 'soffice', ['--headless', '--convert-to', filter, '--outdir', folder, office], join(folder, 'office.pdf'))
}

function makeLatex(name: string, text: string): void {
  const file = source(`${name}.tex`, text)
  make(name, 'pdflatex', ['-interaction=batchmode', `-output-directory=${work}`, file], join(work, `${name}.pdf`))
}

/** Libraries of the registry, installed beside the sources of the templates and not here. */
function makeWithPackages(): void {
  if (!isWanted('pdfkit') && !isWanted('pdf-lib')) return
  execFileSync('npm', ['install', '--ignore-scripts', '--prefix', work, 'pdfkit@0.20.2', 'pdf-lib@1.17.1'])
  make('pdfkit', process.execPath, [source('pdfkit.mjs', PDFKIT), made('pdfkit')])
  make('pdf-lib', process.execPath, [source('pdf-lib.mjs', PDF_LIB), made('pdf-lib')])
}

function make(name: string, program: string, args: readonly string[], result?: string): void {
  if (!isWanted(name)) return
  try {
    const env = { ...process.env, HOME: work, SOURCE_DATE_EPOCH: '1777627800' }
    execFileSync(program, args, { stdio: 'ignore', cwd: work, env })
    if (result !== undefined && existsSync(result)) copyFileSync(result, made(name))
    console.log(`${name}: made`)
  } catch (error) {
    console.log(`${name}: not made (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`)
  }
}
