const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(\d+,\s?\d+\)|BIGNUM)$/u;

/** True for DuckDB's names of number types: such columns are set flush right. */
export function isNumericType(type: string): boolean {
  return NUMERIC.test(type);
}
