import { useMemo } from 'react'
import { toQrMatrix } from './qr-matrix.ts'

/** Free space around the code, in modules (ISO/IEC 18004, 6.3.8). */
const quiet = 4

/** Dark on light in both themes: many cameras read nothing else. */
export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const drawing = useMemo(() => {
    const matrix = toQrMatrix(text)
    if (!matrix) return null
    const { size, isDark } = matrix
    const squares: string[] = []
    for (let row = 0; row < size; row += 1)
      for (let column = 0; column < size; column += 1)
        if (isDark(row, column)) squares.push(`M${column + quiet} ${row + quiet}h1v1h-1z`)
    return { size: size + 2 * quiet, path: squares.join('') }
  }, [text])
  if (!drawing) return null
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      width={212}
      height={212}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={drawing.path} fill="#000" />
    </svg>
  )
}
