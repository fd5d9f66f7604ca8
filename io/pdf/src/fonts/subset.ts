import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** HarfBuzz's subsetter, called as the library of C functions that it is. */
export interface Subsetter {
  /** A font without axes, at one weight. */
  pinWeight(font: Uint8Array, weight: number): Uint8Array
  /** Only these glyphs, under the same numbers. */
  keepGlyphs(font: Uint8Array, glyphs: Iterable<number>): Uint8Array
}

const NO_HINTING = 0x1
const RETAIN_GLYPH_IDS = 0x2
const NO_LAYOUT_CLOSURE = 0x200
/** The tag `wght`. */
const WEIGHT_AXIS = 0x77676874
/** HB_MEMORY_MODE_READONLY. */
const READ_ONLY = 1

/** The compiler knows WebAssembly as a part of browsers only. */
declare const WebAssembly: {
  instantiate(code: Uint8Array): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>
}

export async function openSubsetter(): Promise<Subsetter> {
  const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')
  const { instance } = await WebAssembly.instantiate(readFileSync(file))
  const call = (name: string, ...args: readonly number[]): number => {
    const found = instance.exports[name]
    if (typeof found !== 'function') throw new Error(`HarfBuzz has no function ${name}`)
    const result: unknown = Reflect.apply(found, null, args)
    return typeof result === 'number' ? result : 0
  }
  call('_initialize')

  function subset(font: Uint8Array, choose: (input: number, face: number) => void): Uint8Array {
    const data = call('malloc', font.length)
    new Uint8Array(memoryOf(instance.exports)).set(font, data)
    const blob = call('hb_blob_create', data, font.length, READ_ONLY, 0, 0)
    const face = call('hb_face_create', blob, 0)
    const input = call('hb_subset_input_create_or_fail')
    choose(input, face)
    const result = call('hb_subset_or_fail', face, input)
    if (result === 0) throw new Error('HarfBuzz cannot take glyphs out of a font')
    const made = call('hb_face_reference_blob', result)
    const start = call('hb_blob_get_data', made, 0)
    const bytes = new Uint8Array(memoryOf(instance.exports)).slice(start, start + call('hb_blob_get_length', made))
    for (const [destroy, pointer] of [
      ['hb_blob_destroy', made],
      ['hb_face_destroy', result],
      ['hb_subset_input_destroy', input],
      ['hb_face_destroy', face],
      ['hb_blob_destroy', blob],
      ['free', data],
    ] as const)
      call(destroy, pointer)
    return bytes
  }

  return {
    pinWeight: (font, weight) =>
      subset(font, (input, face) => {
        call('hb_subset_input_keep_everything', input)
        call('hb_subset_input_pin_axis_location', input, face, WEIGHT_AXIS, weight)
      }),
    keepGlyphs: (font, glyphs) =>
      subset(font, (input) => {
        call('hb_subset_input_set_flags', input, NO_HINTING | RETAIN_GLYPH_IDS | NO_LAYOUT_CLOSURE)
        const set = call('hb_subset_input_glyph_set', input)
        for (const glyph of glyphs) call('hb_set_add', set, glyph)
      }),
  }
}

/** Asked for each time: memory moves when it grows. */
function memoryOf({ memory }: Readonly<Record<string, unknown>>): ArrayBuffer {
  if (typeof memory === 'object' && memory !== null && 'buffer' in memory && memory.buffer instanceof ArrayBuffer)
    return memory.buffer
  throw new Error('HarfBuzz has no memory')
}
