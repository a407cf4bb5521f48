import numpy as np
import pytest
