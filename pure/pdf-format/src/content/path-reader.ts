import { apply, type Box, boxAround, type Matrix, type Point } from './matrix.ts'
import { numberOf, type Operand } from './operands.ts'

/** Points: what is thinner is a line. */
const THIN = 3
/** Corners of a rectangle with its first one twice. */
const RECTANGLE = 5
/** Of one page: more lines are a drawing. */
const MAX_RULES = 20_000

/** Follows paths as far as they are straight lines: borders end the room of a text. */
export class PathReader {
  readonly #rules: Box[]
  #done: Point[][] = []
  #current: Point[] = []

  constructor(rules: Box[]) {
    this.#rules = rules
  }

  /** Whether the operator is one of paths. */
  read(name: string, operands: readonly Operand[], ctm: Matrix): boolean {
    switch (name) {
      case 'm':
        this.#next()
        this.#add(ctm, numberOf(operands[0]), numberOf(operands[1]))
        return true
      case 'l':
        this.#add(ctm, numberOf(operands[0]), numberOf(operands[1]))
        return true
      case 'c':
      case 'v':
      case 'y':
        // A curve is no border.
        for (let corner = 0; corner <= RECTANGLE; corner += 1) this.#add(ctm, 0, 0)
        return true
      case 're':
        this.#rectangle(ctm, operands.map(numberOf))
        return true
      case 'h':
        return true
      case 'f':
      case 'F':
      case 'f*':
        this.#paint(false)
        return true
      case 'S':
      case 's':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        this.#paint(true)
        return true
      case 'n':
        this.#clear()
        return true
      default:
        return false
    }
  }

  #rectangle(ctm: Matrix, [x = 0, y = 0, width = 0, height = 0]: readonly number[]): void {
    this.#next()
    this.#add(ctm, x, y)
    this.#add(ctm, x + width, y)
    this.#add(ctm, x + width, y + height)
    this.#add(ctm, x, y + height)
  }

  #add(ctm: Matrix, x: number, y: number): void {
    if (this.#current.length <= RECTANGLE) this.#current.push(apply(ctm, x, y))
  }

  #next(): void {
    if (this.#current.length > 1 && this.#done.length < MAX_RULES) this.#done.push(this.#current)
    this.#current = []
  }

  #clear(): void {
    this.#done = []
    this.#current = []
  }

  #paint(isStroked: boolean): void {
    this.#next()
    for (const points of this.#done) {
      if (points.length > RECTANGLE || this.#rules.length >= MAX_RULES) continue
      const box = boxAround(points)
      if (Math.min(box.right - box.left, box.top - box.bottom) <= THIN) this.#rules.push(box)
      else if (isStroked) this.#rules.push(...sidesOf(box))
    }
    this.#clear()
  }
}

function sidesOf(box: Box): readonly Box[] {
  return [
    { ...box, right: box.left },
    { ...box, left: box.right },
  ]
}
