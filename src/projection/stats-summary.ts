/**
 * Minimum, maximum, sum and percentiles of values as they come (`StatsSummary`, `DescriptiveStatisticsHistogram`; CP-214).
 * Percentiles are those of commons-math's `Percentile` with its own estimation (LEGACY): between the two values around
 * place `p * (n + 1)`, over a sliding window of the newest values; without a window, or without values, there are none.
 */
import { at } from "../base/assert.ts";

/** What Flink's web UI and REST replies tell of many values. Percentiles are `NaN` where there is nothing to tell. */
export interface Statistics {
  readonly min: number;
  readonly max: number;
  /** Rounded down: Flink divides whole numbers. */
  readonly avg: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
}

export class StatsSummary {
  private count = 0;
  private min = 0;
  private max = 0;
  private total = 0;
  private readonly window: number;
  private readonly values: number[] = [];

  constructor(window: number) {
    this.window = window;
  }

  /** Takes a value in; what is not known (below 0) is left out. */
  add(value: number): this {
    if (value < 0) return this;
    this.min = this.count === 0 ? value : Math.min(this.min, value);
    this.max = this.count === 0 ? value : Math.max(this.max, value);
    this.count++;
    this.total += value;
    this.values.push(value);
    if (this.values.length > this.window) this.values.shift();
    return this;
  }

  get sum(): number {
    return this.total;
  }

  statistics(): Statistics {
    const sorted = [...this.values].sort((a, b) => a - b);
    return {
      min: this.min,
      max: this.max,
      avg: this.count === 0 ? 0 : Math.floor(this.total / this.count),
      p50: percentile(sorted, 50),
      p90: percentile(sorted, 90),
      p95: percentile(sorted, 95),
      p99: percentile(sorted, 99),
      p999: percentile(sorted, 99.9),
    };
  }
}

function percentile(sorted: readonly number[], p: number): number {
  const { length } = sorted;
  if (length === 0) return Number.NaN;
  const place = (p / 100) * (length + 1);
  if (place < 1) return at(sorted, 0);
  if (place >= length) return at(sorted, length - 1);
  const below = at(sorted, Math.floor(place) - 1);
  return below + (place - Math.floor(place)) * (at(sorted, Math.floor(place)) - below);
}

/** Of what Flink does not measure any more: its values are all 0. */
export const noStatistics: Statistics = { min: 0, max: 0, avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, p999: 0 };
