/**
 * Defects of the engine, each by the decision that it takes wrongly. Tests inject them to see that an invariant, the
 * ledger or the search finds them (`docs/mutations.json`); nothing that is shipped imports this file.
 */
import { at } from "../base/assert.ts";
import type { Decisions } from "./decisions.ts";
import { Channel, Job } from "./layout.ts";

type Defect = Partial<Decisions>;

/** Barriers and channels. */
export const dropsBufferedRecords: Defect = { keepsBuffered: () => false };
export const noAlignment: Defect = { blocksChannel: () => false };
export const trackerDoesNotWait: Defect = { barriersAwaited: () => 1 };
export const inputNotPersisted: Defect = { persists: (side) => side !== Channel.input };
export const outputNotPersisted: Defect = { persists: (side) => side !== Channel.output };
export const secondGateNotPersisted: Defect = {
  persists: (side, { graph: { channels, subtasks } }, channel) => {
    const { to, edge } = at(channels, channel);
    // A gate is what one edge brings in.
    return side !== Channel.input || at(channels, at(at(subtasks, to).inputs, 0)).edge === edge;
  },
};
export const storedButNotOvertaken: Defect = { overtakes: () => false };
export const barrierOvertakesRecords: Defect = { barrierGoesLast: () => false };
export const channelReorders: Defect = { isFirstInFirstOut: () => false };
export const recordsBetweenBarrierAndSnapshot: Defect = { occupiesThread: () => false };
export const barrierOfAnOlderCheckpoint: Defect = { barrierId: (checkpoint) => (checkpoint === 3 ? 1 : checkpoint) };
export const barrierTwice: Defect = { barrierId: (checkpoint) => (checkpoint === 3 ? 2 : checkpoint) };
export const channelStaysBlocked: Defect = { resumesChannels: () => false };
export const keyGroupRangeOffByOne: Defect = {
  receiverOf: (receiver, receivers) => (receiver + 1) % receivers,
};

/** Checkpoints. */
export const offsetTakenAfterBarrier: Defect = { snapshotPosition: (position) => position + 1 };
export const checkpointIdTwice: Defect = { nextCheckpointId: (id) => id };
export const olderSnapshotTaken: Defect = { passesByOldTrigger: () => false };
export const lateAcknowledgementAccepted: Defect = { disposesAborted: () => false };
export const oneAcknowledgementMissing: Defect = { acknowledgementsNeeded: (tasks) => tasks - 1 };
export const oldAttemptAcknowledges: Defect = { acceptsAttempt: () => true };
/** As many as there is room for. */
export const checkpointsWithoutBound: Defect = {
  admits: (world) => world.job(Job.pending) < world.layout.pendingRows,
};
export const olderCheckpointCompletesLast: Defect = { subsumesPending: () => false, writesInOrder: () => false };
export const storeWithoutBound: Defect = { subsumesCompleted: () => false };
export const abortSaysComplete: Defect = { latestCompleted: (_, aborted) => aborted };
export const oldNotificationDelivered: Defect = { ignoresOldNotification: () => false };
export const sharedFilesDeletedTooEarly: Defect = { isUsed: (lastUsed, lowest) => lastUsed > lowest };
export const failureCountedTwice: Defect = { countsAs: () => 2 };
export const secondTriggerPhase: Defect = { waitsForTriggerPhase: () => false };
export const tasksBeforeCoordinators: Defect = { waitsForCoordinators: () => false };
export const pendingWhileRestarting: Defect = { suspendsPending: () => false };
export const savepointGoesToStore: Defect = { storesSavepoint: () => true };
export const savepointIsTold: Defect = { notifiesSavepoint: () => true };
export const savepointSubsumed: Defect = { subsumesSavepoints: () => true };
export const triggersGoOnInStop: Defect = { stopsTriggers: () => false };

/** Failure and restore. */
export const movesWithoutEdge: Defect = { checksEdges: () => false, passesByOldReport: () => false };
export const restartsBeforeCanceled: Defect = { waitsForCancellation: () => false };
export const attemptNumberSkipped: Defect = { nextAttempt: (attempt) => attempt + 2 };
export const regionForgetsConsumer: Defect = { restartsWithRegion: (task, failed) => task <= failed };
export const failuresNotCounted: Defect = { countsFailure: () => false };
export const restoresAbortedCheckpoint: Defect = {
  acknowledgementsNeeded: (tasks) => tasks + 1,
  storesAborted: () => true,
};
export const restoresOldestCheckpoint: Defect = { restoresFrom: () => 0 };
export const newLeaderForgetsStore: Defect = { readsStore: () => false };
export const newLeaderCountsAnew: Defect = { countsIdsOn: () => false };
export const restoresNothing: Defect = { restoresFrom: () => -1 };
export const sourceForgetsOffset: Defect = { restoredPosition: (_, end) => end };
export const sourceSkipsRecord: Defect = { restoredPosition: (position) => position + 1 };
export const sourceReadsGroupOffset: Defect = { restoredPosition: (position) => position - 1 };
export const tableNotAsked: Defect = { asksTable: () => false };
export const batchNotRecorded: Defect = { recordsBatch: () => false };
export const connectionRepeats: Defect = { connectsAt: () => 0 };
export const recoveredInputLast: Defect = { recoveredGoesFirst: () => false };
export const readsBeforeRecovered: Defect = { waitsForRecovered: () => false };
export const stateNotLoaded: Defect = { loadsState: () => false };

/** Sinks and the log. */
export const commitsAtBarrier: Defect = { commitWaits: () => false };
export const olderNotificationCommitsNewer: Defect = { mayCommit: () => true };
export const abortsInsteadOfRecommit: Defect = { recommits: () => false, probesFrom: () => 1 };
export const currentNotAbortedOnClose: Defect = { abortsOnClose: () => false };
export const leavesOldTransactions: Defect = { probes: () => false };
export const olderProducersNotFenced: Defect = { fences: () => false };
export const transactionNotHandedOver: Defect = { handsOver: () => false };
export const recordsArriveOutOfOrder: Defect = { arrivesAfter: (delay, record) => delay + (record % 2) * 20 };
export const noMarkers: Defect = { writesMarkers: () => false };
export const notFlushedAtBarrier: Defect = { flushes: () => false };
export const recordNotAppended: Defect = { appends: () => false };
export const givenUpTransactionCommitted: Defect = { refusesCommit: () => false, checksEdges: () => false };
export const stableOffsetGoesBack: Defect = { firstOffset: () => 0 };
export const initialisingLeavesOngoing: Defect = { abortsOngoing: () => false };
export const partFileNotCutBack: Defect = { validLength: (_, written) => written };

export const completeWithFirstMarker: Defect = { awaitsMarkers: () => false };
export const repeatAppendedAgain: Defect = { recognisesRepeats: () => false };
export const pooledNameInUse: Defect = { pooledNumber: () => 0 };

/** The end of input. */
export const endsBeforeFinalCheckpoint: Defect = { waitsForFinalCheckpoint: () => false };
export const finishedRunsAgain: Defect = { restoresFinished: () => false };

/** A job that is submitted anew. */
export const startsFromOldest: Defect = { takesNewest: () => false };
export const keyedStateStaysWithNumber: Defect = { stateOwner: (_, before, parallelism) => before % parallelism };
export const listStateToAll: Defect = { dealsListState: () => "union" };
export const committablesOfGoneSubtasksLost: Defect = {
  takesCommittables: (number, parallelism) => number < parallelism,
};
export const movedSplitBeginsAnew: Defect = { movedPosition: () => 0 };
export const recordsInFlightLeftBehind: Defect = { takesInFlight: () => false };
export const claimsWhatIsNot: Defect = { claims: () => true };
export const olderSubtasksNotProbed: Defect = { probesBeyond: () => false };
