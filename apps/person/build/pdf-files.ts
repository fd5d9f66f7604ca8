import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const PACKAGE = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the manifest of a package that npm has installed
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string }

/** Where pdf.js finds what PDFs do not contain themselves; the version is in the name, so browsers keep the files. */
export const PDF_FILES = `/assets/pdfjs-${version}/`

/** Character maps, the fonts that every reader has, colours, and decoders of images. */
const KINDS: Readonly<Record<string, RegExp>> = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  iccs: /\.icc$/,
  wasm: /^(jbig2|openjpeg|qcms_bg)\.wasm$/,
}

/** Serves these files from the own origin: the policy of the app allows no other. */
export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    generateBundle() {
      for (const name of listFiles())
        this.emitFile({
          type: 'asset',
          fileName: `${PDF_FILES.slice(1)}${name}`,
          source: readFileSync(join(dirname(PACKAGE), name)),
        })
    },
    configureServer({ middlewares }) {
      const names = new Set(listFiles())
      middlewares.use((request, response, next) => {
        const name = request.url?.startsWith(PDF_FILES) === true ? request.url.slice(PDF_FILES.length) : ''
        if (names.has(name)) createReadStream(join(dirname(PACKAGE), name)).pipe(response)
        else next()
      })
    },
  }
}

function listFiles(): readonly string[] {
  return Object.entries(KINDS).flatMap(([folder, names]) =>
    readdirSync(join(dirname(PACKAGE), folder))
      .filter((name) => names.test(name))
      .map((name) => `${folder}/${name}`),
  )
}
