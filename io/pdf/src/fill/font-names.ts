import type { ContentSource, PdfDict } from '@sealpost/pdf-format'
import type { Face } from '../fonts/face.ts'

/** What a name stands for: a font of ours, upright or for vertical lines, or one that the content cannot name. */
export type NamedFont =
  | { readonly type: 'face'; readonly face: Face; readonly isVertical: boolean }
  | { readonly type: 'own'; readonly dict: PdfDict }

/** Names of fonts in the resources of changed contents. */
export class FontNames {
  readonly #prefix: string
  readonly #names = new Map<object, Map<boolean, string>>()
  readonly #used = new Map<ContentSource | 'fields', Map<string, NamedFont>>()
  #count = 0

  /** The prefix must be one that no font of the file has. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  nameIn(source: ContentSource | 'fields', font: NamedFont): string {
    const key = font.type === 'face' ? font.face : font.dict
    const isVertical = font.type === 'face' && font.isVertical
    const byDirection = this.#names.get(key) ?? new Map<boolean, string>()
    this.#names.set(key, byDirection)
    const name = byDirection.get(isVertical) ?? this.#make()
    byDirection.set(isVertical, name)
    const used = this.#used.get(source) ?? new Map<string, NamedFont>()
    this.#used.set(source, used.set(name, font))
    return name
  }

  /** Forgets those of fields, which are drawn page by page. */
  take(source: ContentSource | 'fields'): ReadonlyMap<string, NamedFont> {
    const used = this.#used.get(source) ?? new Map<string, NamedFont>()
    this.#used.delete(source)
    return used
  }

  /** For a form of a field. */
  formName(): string {
    return this.#make()
  }

  #make(): string {
    this.#count += 1
    return `${this.#prefix}${this.#count}`
  }
}
