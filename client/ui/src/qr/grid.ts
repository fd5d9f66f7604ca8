/** Squares that are dark or light: the modules of a code, or the pixels of a picture. */
export interface Grid {
  readonly width: number
  readonly height: number
  /** 1 is dark; row by row. */
  readonly cells: Uint8Array
}

export function emptyGrid(width: number, height: number): Grid {
  return { width, height, cells: new Uint8Array(width * height) }
}

/** Outside of the grid everything is light. */
export function isDark({ width, height, cells }: Grid, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < width && y < height && cells[y * width + x] === 1
}

export function setCell({ width, cells }: Grid, x: number, y: number, isOn: boolean): void {
  cells[y * width + x] = isOn ? 1 : 0
}

/** Rows as columns: what a mirror shows. */
export function transpose(grid: Grid): Grid {
  const turned = emptyGrid(grid.height, grid.width)
  for (let y = 0; y < grid.height; y += 1)
    for (let x = 0; x < grid.width; x += 1) setCell(turned, y, x, isDark(grid, x, y))
  return turned
}
